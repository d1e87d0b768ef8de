/** Against real servers on the loopback address that misbehave on purpose; no client is mocked. */

import { createServer } from "node:net";
import { expect, test } from "vitest";
import * as z from "zod";
import { ConfigError, EmbeddingError } from "../../src/rag/errors.ts";
import { bearer, buildJsonClient, type ClientOptions } from "../../src/rag/transport.ts";
import { fakeTime } from "../fixtures/clock.ts";
import { type Answered, inTurn, listen, serve } from "../fixtures/server.ts";

const KEY = "sk-secret-4711";
const echo = z.object({ value: z.int() });
const GOOD: Answered = { body: { value: 1 } };

async function clientOf(answers: readonly Answered[], options: Partial<ClientOptions> = {}) {
  const server = await serve(inTurn(...answers));
  const time = fakeTime();
  const { sleep, clock } = time;
  const client = buildJsonClient(`${server.url}/v1/`, {
    error: EmbeddingError,
    timeoutS: 60,
    headers: bearer(KEY),
    sleep,
    clock,
    ...options,
  });
  return { client, waits: time.waits, requests: server.requests, url: server.url };
}

async function refusal(promise: Promise<unknown>): Promise<EmbeddingError> {
  const error = await promise.then(
    () => expect.fail("nothing was thrown"),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(EmbeddingError);
  return error as EmbeddingError;
}

test("payload, headers and reply pass through", async () => {
  const { client, requests } = await clientOf([{ body: { value: 7, unknown: true } }]);
  expect(await client.post("/echo", { n: 2 }, echo)).toEqual({ value: 7 });
  expect(requests).toMatchObject([
    { path: "/v1/echo", body: { n: 2 }, headers: { authorization: `Bearer ${KEY}` } },
  ]);
});

test("server errors are retried with growing, jittered waits", async () => {
  const { client, waits, requests, url } = await clientOf([{ status: 500, body: "boom" }]);
  const error = await refusal(client.post("/echo", {}, echo));
  expect(error.message).toContain(`POST ${url}/v1/echo: HTTP 500 boom (tries 3`);
  const [first = 0, second = 0] = waits;
  expect([requests.length, waits.length]).toEqual([3, 2]);
  expect(first).toBeGreaterThan(0);
  expect(second).toBeGreaterThan(first);
  await refusal(client.post("/echo", {}, echo));
  expect(waits.slice(2)).not.toEqual([first, second]);
});

test.each([408, 429, 500, 502, 503, 504])("status %d is survived", async (status) => {
  const { client, requests } = await clientOf([{ status }, GOOD]);
  expect(await client.post("/echo", {}, echo)).toEqual({ value: 1 });
  expect(requests.length).toBe(2);
});

test("Retry-After in seconds is honoured within the deadline", async () => {
  const { client, waits, requests } = await clientOf([
    { status: 429, headers: { "Retry-After": "20" } },
  ]);
  const error = await refusal(client.post("/echo", {}, echo));
  expect(error.message).toContain("asked to wait 20 s");
  expect(requests.length).toBe(3);
  expect(waits.every((wait) => wait > 20_000 && wait < 22_000)).toBe(true);
});

test("Retry-After as a date is honoured", async () => {
  const date = new Date(Date.now() + 20_000).toUTCString();
  const { client, waits } = await clientOf([
    { status: 429, headers: { "Retry-After": date } },
    GOOD,
  ]);
  expect(await client.post("/echo", {}, echo)).toEqual({ value: 1 });
  expect(waits[0]).toBeGreaterThan(18_000);
  expect(waits[0]).toBeLessThan(22_000);
});

test("a server that names a wait is asked until the deadline", async () => {
  const busy = { status: 429, headers: { "Retry-After": "1" } };
  const { client, requests } = await clientOf([busy, busy, busy, busy, busy, GOOD]);
  expect(await client.post("/echo", {}, echo)).toEqual({ value: 1 });
  expect(requests.length).toBe(6);
});

test.each(["3600", "inf"])("a wait of %s, past the deadline, is not begun", async (asked) => {
  const { client, waits, requests } = await clientOf([
    { status: 503, headers: { "Retry-After": asked } },
  ]);
  const error = await refusal(client.post("/echo", {}, echo));
  expect(error.message).toContain("deadline 60 s, asked to wait");
  expect([requests.length, waits.length]).toEqual([1, 0]);
});

test.each(["nonsense", "-5", "nan", "Mon, 99 Foo"])(
  "a senseless Retry-After, %s, is ignored",
  async (asked) => {
    const { client, waits } = await clientOf([
      { status: 429, headers: { "Retry-After": asked } },
      GOOD,
    ]);
    expect(await client.post("/echo", {}, echo)).toEqual({ value: 1 });
    expect(waits[0]).toBeLessThan(2000);
  },
);

test.each<[Answered, string]>([
  [{ status: 429, body: { error: { code: "insufficient_quota" } } }, "quota is used up"],
  [{ status: 402 }, "quota is used up"],
  [{ status: 400, body: "no" }, "would refuse it again"],
  [{ status: 401, body: "no" }, "API key"],
  [{ status: 403, body: "no" }, "API key"],
  [{ status: 404, body: "no" }, "name of the model"],
  [{ status: 302, headers: { Location: "/elsewhere" } }, "would refuse it again"],
])("what no retry mends stops at once: %j", async (answered, advice) => {
  const { client, waits, requests } = await clientOf([answered]);
  const error = await refusal(client.post("/echo", {}, echo));
  expect(error.fix).toContain(advice);
  expect([requests.length, waits.length]).toEqual([1, 0]);
});

test.each(["<html>", "", '{"value": "1"}', "{}", "[]", Buffer.from([0x7b, 0xff, 0x7d]), "\0"])(
  "an unusable body is an error that names the call: %j",
  async (body) => {
    const { client, requests, url } = await clientOf([{ body }]);
    const error = await refusal(client.post("/echo", {}, echo));
    expect(error.message).toMatch(new RegExp(`^POST ${url}/v1/echo: the reply is not the JSON`));
    expect(requests.length).toBe(1);
  },
);

test("numbers that Python's servers write and JSON lacks are read", async () => {
  const { client } = await clientOf([{ body: '{"value": [NaN, -Infinity, 1], "text": "NaN"}' }]);
  const form = z.object({ value: z.array(z.any()), text: z.string() });
  expect(await client.post("/echo", {}, form)).toEqual({
    value: [Number.NaN, Number.NEGATIVE_INFINITY, 1],
    text: "NaN",
  });
});

test("no message holds the key", async () => {
  const body = `Incorrect API key provided: ${KEY}`;
  const { client } = await clientOf([{ status: 401, body }]);
  const error = await refusal(client.post("/echo", {}, echo));
  expect(error.message).toContain("Incorrect API key provided: ***");
  expect(error.message).not.toContain(KEY);
});

test("no message holds the secrets of the address", async () => {
  const url = "http://user:pass@localhost:1/v1?token=hidden";
  const client = buildJsonClient(url, { error: EmbeddingError, timeoutS: 0.3 });
  const error = await refusal(client.post("", {}, echo));
  expect(error.message).toContain("POST http://localhost:1/v1");
  expect(error.message).not.toMatch(/user|pass|hidden/);
});

test("the login of an address is sent, since fetch takes none there", async () => {
  const server = await serve(inTurn(GOOD));
  const url = server.url.replace("http://", "http://me:s%20t@");
  const client = buildJsonClient(url, { error: EmbeddingError, timeoutS: 5 });
  await client.post("/echo", {}, echo);
  const login = Buffer.from("me:s t").toString("base64");
  expect(server.requests[0]?.headers.authorization).toBe(`Basic ${login}`);
});

test.each(["", "localhost:8080", "ftp://host", "http://"])("%j is no address", (url) => {
  expect(() => buildJsonClient(url, { error: EmbeddingError, timeoutS: 1 })).toThrow(
    "is not an http or https address",
  );
});

test("a key that no header carries is refused, and not shown", () => {
  const build = () =>
    buildJsonClient("http://localhost", {
      error: EmbeddingError,
      timeoutS: 1,
      headers: bearer("sk-\nsecret"),
    });
  expect(build).toThrow(ConfigError);
  expect(build).not.toThrow(/secret/);
});

test("a refused connection is retried", async () => {
  const server = createServer();
  const url = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  const { sleep, clock, waits } = fakeTime();
  const client = buildJsonClient(url, { error: EmbeddingError, timeoutS: 60, sleep, clock });
  const error = await refusal(client.post("/echo", {}, echo));
  expect(error.message).toMatch(/connection failed.*tries 3/);
  expect(waits.length).toBe(2);
});

test.each([
  ["silence", "", ""],
  ["headers that drip", "HTTP/1.1 200 OK\r\nX-Filler: ", "x"],
  ["a body that drips", "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n", " "],
])("a hang ends at the deadline: %s", async (_, head, drip) => {
  const server = createServer((socket) => {
    socket.write(head);
    const dripping = setInterval(() => socket.write(drip), 20);
    socket.on("close", () => clearInterval(dripping));
  });
  const client = buildJsonClient(await listen(server), { error: EmbeddingError, timeoutS: 0.4 });
  const began = performance.now();
  const error = await refusal(client.post("/echo", {}, echo));
  expect(error.message).toMatch(/no complete answer in time.*deadline 0\.4 s/);
  expect(performance.now() - began).toBeGreaterThan(300);
  expect(performance.now() - began).toBeLessThan(3000);
});
