/** The packages of the providers, over servers on the loopback address. */

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod";
import { ConfigError, GenerationError } from "../../src/rag/errors.ts";
import { openAnthropic, openOpenAi, RANGES, type SdkOptions } from "../../src/rag/sdks.ts";
import { fakeTime } from "../fixtures/clock.ts";
import { emptyFolder } from "../fixtures/folder.ts";
import { type Answered, inTurn, listen, serve } from "../fixtures/server.ts";

const KEY = "sk-secret-4711";
const OPTIONS = { error: GenerationError, timeoutS: 60, apiKey: KEY };
const ROOT = resolve(import.meta.dirname, "../..");
const user = { role: "user" as const, content: "?" };
const request = { model: "m", max_tokens: 9, messages: [user] };

/** What `value` holds is what the server sent. */
const form = z.object({ value: z.number() });
const GOOD: Answered = { body: { value: 7, unknown: true } };

type Ask = (url: string, options?: Partial<SdkOptions>) => Promise<{ value: number }>;

const SDKS: readonly (readonly [string, string, Ask])[] = [
  [
    "openai",
    "/chat/completions",
    async (url, options) => {
      const sdk = await openOpenAi(url, { ...OPTIONS, ...options });
      return sdk.call(({ chat }) => chat.completions.create(request), form);
    },
  ],
  [
    "@anthropic-ai/sdk",
    "/v1/messages",
    async (url, options) => {
      const sdk = await openAnthropic(url, { ...OPTIONS, ...options });
      return sdk.call(({ messages }) => messages.create(request), form);
    },
  ],
];

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

async function refusal(promise: Promise<unknown>): Promise<GenerationError> {
  const error = await promise.then(
    () => expect.fail("nothing was thrown"),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(GenerationError);
  expect((error as GenerationError).message).not.toMatch(/sk-secret|hidden/);
  return error as GenerationError;
}

test.each(SDKS)("%s sends its request and the reply is decoded", async (_, path, ask) => {
  const { url, requests } = await serve(inTurn(GOOD));
  expect(await ask(`${url}/`)).toEqual({ value: 7 });
  expect(requests).toMatchObject([
    { path, body: request, headers: { authorization: `Bearer ${KEY}` } },
  ]);
});

test.each(SDKS)("%s has its variables of the environment left unread", async (_, path, ask) => {
  const { url, requests } = await serve(inTurn(GOOD));
  for (const prefix of ["OPENAI", "ANTHROPIC"]) {
    for (const name of ["API_KEY", "ADMIN_KEY", "AUTH_TOKEN", "ORG_ID", "PROJECT_ID", "PROFILE"]) {
      vi.stubEnv(`${prefix}_${name}`, "leaked");
    }
    vi.stubEnv(`${prefix}_BASE_URL`, "http://leaked.test");
    const headers = ["X-Extra: leaked", "Authorization: Bearer leaked", "X-Api-Key: leaked"];
    vi.stubEnv(`${prefix}_CUSTOM_HEADERS`, headers.join("\n"));
    vi.stubEnv(`${prefix}_LOG`, "debug");
  }
  const printed = vi.spyOn(console, "debug");
  await ask(url);
  await ask(url, { apiKey: "" });
  expect(printed).not.toHaveBeenCalled();
  expect(requests.map((each) => each.path)).toEqual([path, path]);
  expect(JSON.stringify(requests)).not.toContain("leaked");
  expect(requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(requests[1]?.headers).not.toHaveProperty("authorization");
  expect(requests[1]?.headers).not.toHaveProperty("x-api-key");
});

test.each(SDKS)("%s sends the login of an address", async (name, _, ask) => {
  const { url, requests } = await serve(inTurn(GOOD));
  const withLogin = url.replace("http://", "http://me:s%20t@");
  await ask(withLogin, { apiKey: "" });
  const login = `Basic ${Buffer.from("me:s t").toString("base64")}`;
  expect(requests[0]?.headers.authorization).toBe(login);
  await ask(withLogin);
  const { authorization, "x-api-key": key } = requests[1]?.headers ?? {};
  expect([authorization, key]).toEqual(
    name === "openai" ? [`Bearer ${KEY}`, undefined] : [login, KEY],
  );
});

test.each(SDKS)("%s tries again when the server says so, and no more often", async (_, __, ask) => {
  const busy = { status: 504, headers: { "Retry-After": "20" }, body: "upstream timed out" };
  const { url, requests } = await serve(inTurn(busy));
  const { sleep, clock, waits } = fakeTime();
  const error = await refusal(ask(url, { sleep, clock }));
  expect(error.message).toMatch(/HTTP 504 upstream timed out \(tries 3, .*asked to wait 20 s/);
  expect(requests.length).toBe(3);
  expect(waits.every((wait) => wait > 20_000 && wait < 22_000)).toBe(true);
});

const HOPELESS: readonly (readonly [Answered, string])[] = [
  [{ status: 429, body: { error: { code: "insufficient_quota" } } }, "quota is used up"],
  [{ status: 401, body: `wrong key ${KEY}` }, "Check the API key"],
  [{ status: 302, headers: { Location: "/elsewhere" } }, "would refuse it again"],
  [{ status: 409, headers: { "x-should-retry": "true" } }, "would refuse it again"],
  [{ body: `<html>${KEY}` }, "compatible API"],
];
const EACH = SDKS.flatMap(([name, path, ask]) =>
  HOPELESS.map(([answered, advice]) => [name, answered, advice, path, ask] as const),
);

test.each(EACH)("%s: what no retry mends stops at once: %j", async (_, answered, ...rest) => {
  const [advice, path, ask] = rest;
  const { url, requests } = await serve(inTurn(answered));
  const error = await refusal(ask(url));
  expect(error.message).toContain(`POST ${url}${path}: `);
  expect(error.fix).toContain(advice);
  expect(requests.length).toBe(1);
});

test.each(SDKS)("%s is held to the deadline by a body that drips", async (_, __, ask) => {
  const server = createServer((socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n");
    const dripping = setInterval(() => socket.write(" "), 20);
    socket.on("close", () => clearInterval(dripping));
  });
  const began = performance.now();
  const error = await refusal(ask(await listen(server), { timeoutS: 0.4 }));
  expect(error.message).toMatch(/no complete answer in time.*deadline 0\.4 s/);
  expect(performance.now() - began).toBeLessThan(3000);
});

test.each(SDKS)("%s: calls at the same time keep their replies apart", async (_, __, ask) => {
  let at = 0;
  const { url } = await serve(() => {
    at += 1;
    return at % 2 ? { body: { value: at } } : { status: 400 };
  });
  const asked = Array.from({ length: 8 }, () => ask(url).then(({ value }) => value));
  const done = await Promise.allSettled(asked);
  const values = done.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  expect(values.sort()).toEqual([1, 3, 5, 7]);
});

test.each(SDKS)(
  "%s: a key that no header carries is refused, and not shown",
  async (_, __, ask) => {
    const asked = ask("http://localhost", { apiKey: "sk-\nhidden" });
    await expect(asked).rejects.toThrow(ConfigError);
    await expect(asked).rejects.not.toThrow(/hidden/);
  },
);

test.each([
  ["openai", "openOpenAi"],
  ["@anthropic-ai/sdk", "openAnthropic"],
] as const)("without %s the error carries the install command", (name, open) => {
  const folder = emptyFolder();
  for (const each of ["src", "package.json"]) {
    cpSync(join(ROOT, each), join(folder, each), { recursive: true });
  }
  for (const each of ["tsx", "zod"]) {
    const link = join(folder, "node_modules", each);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", each), link, "junction");
  }
  const script = `
    const sdks = await import("./src/rag/sdks.ts");
    const error = await sdks.${open}("http://localhost", {}).catch((thrown) => thrown);
    console.log(JSON.stringify([error.name, error.fix]));`;
  const command = ["--import", "tsx", "--input-type=module", "-e", script];
  const printed = execFileSync(process.execPath, command, { cwd: folder, encoding: "utf8" });
  const install = `npm install --save-prod "${name}@${RANGES[name]}"`;
  expect(JSON.parse(printed)).toEqual(["MissingExtraError", install]);
  expect(readdirSync(join(folder, "node_modules"))).not.toContain(name.split("/")[0]);
});

test("what is to be installed is what package.json asks for", () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Record<
    "dependencies" | "devDependencies",
    Record<string, string>
  >;
  const asked = { ...manifest.devDependencies, ...manifest.dependencies };
  for (const [name, range] of Object.entries(RANGES)) {
    expect(/\d+/.exec(asked[name] ?? "")?.[0]).toBe(/\d+/.exec(range)?.[0]);
  }
});
