import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { IngestError } from "../../../src/rag/errors.ts";
import { loadCollection } from "../../../src/rag/ingest/beir.ts";
import { emptyFolder } from "../../fixtures/folder.ts";

function loaded(content: string | Buffer) {
  const folder = emptyFolder();
  writeFileSync(join(folder, "corpus.jsonl"), content);
  return [...loadCollection(folder)];
}

test("documents come in the order of the file, blank lines left out", () => {
  const lines = [
    '\ufeff{"_id": "b", "text": "x\\r\\ny", "title": " T "}',
    " ",
    '{"_id":"a","text":"z"}',
  ];
  const [first, second] = loaded(lines.join("\n"));
  expect(first).toMatchObject({ id: "b", text: "x\ny", title: "T", source: "corpus.jsonl" });
  expect(first?.metadata).toEqual({ format: "text" });
  expect(second).toMatchObject({ id: "a", text: "z", title: "" });
});

test("a title alone is the text, and a document may be empty", () => {
  const documents = loaded('{"_id":"a","text":" ","title":"T"}\n{"_id":"b","text":""}\n');
  expect(documents.map(({ text, title }) => [text, title])).toEqual([
    ["T", ""],
    ["", ""],
  ]);
});

test("lines longer than a block are read whole", () => {
  const text = "水".repeat(1_000_000);
  expect(loaded(`${JSON.stringify({ _id: "a", text })}\n{"_id":"b","text":"x"}`)).toMatchObject([
    { text },
    { text: "x" },
  ]);
});

test.each([
  ["{", /corpus\.jsonl:2: .*JSON/],
  ["[]", /corpus\.jsonl:2: /],
  ['{"_id":"","text":""}', /corpus\.jsonl:2: .*_id/],
  ['{"_id":1,"text":""}', /corpus\.jsonl:2: .*_id/],
  ['{"_id":"b"}', /corpus\.jsonl:2: .*text/],
  ['{"_id":"b","text":"\\ud800"}', /corpus\.jsonl:2: .*text/],
  ['{"_id":"a","text":""}', /corpus\.jsonl:2: id 'a' is that of line 1 too\n {2}Mend the line/],
  [Buffer.from("22ff22", "hex"), /corpus\.jsonl:2: /],
])("%s is refused with its line", (line, message) => {
  const content = Buffer.concat([Buffer.from('{"_id":"a","text":"x"}\n'), Buffer.from(line)]);
  expect(() => loaded(content)).toThrow(IngestError);
  expect(() => loaded(content)).toThrow(message);
});

test("a folder without a corpus is told apart", () => {
  const folder = emptyFolder();
  expect(() => [...loadCollection(folder)]).toThrow(/corpus\.jsonl can't be read: No such file/);
});
