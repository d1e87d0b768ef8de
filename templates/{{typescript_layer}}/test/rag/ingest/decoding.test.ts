import { expect, test } from "vitest";

import { IngestError } from "../../../src/rag/errors.ts";
import { decode, normalise, UnusableError } from "../../../src/rag/ingest/decoding.ts";

const latin = Buffer.from("caf\xe9", "latin1");

test("line ends become line feeds", () => {
  expect(normalise("a\r\nb\rc\n\r\r\n")).toBe("a\nb\nc\n\n\n");
});

test("a fallback is tried on what is neither marked nor UTF-8", () => {
  expect(decode(latin, "windows-1252")).toBe("café");
  expect(decode(Buffer.from("café"), "windows-1252")).toBe("café");
  expect(() => decode(latin)).toThrow(UnusableError);
});

test.each(["utf-9", "gbk", "constructor", "cp"])("'%s' is refused as a fallback", (name) => {
  expect(() => decode(Buffer.from("a"), name)).toThrow(IngestError);
  expect(() => decode(Buffer.from("a"), name)).toThrow(/Name one of: ascii, latin-1, /);
});

test("Korean has two bytes a character", () => {
  expect(decode(Buffer.from("b0a1", "hex"), "cp949")).toBe("가");
  expect(() => decode(Buffer.from("b0ff", "hex"), "cp949")).toThrow(UnusableError);
});
