/**
 * One engine of Node in a process of its own: builds an index, or answers queries until its input
 * ends. It prints one JSON document per line.
 *
 * node --import tsx node_worker.mjs build|serve ENGINE FOLDER CORPUS CHUNKS QUERIES WORK
 */

import { closeSync, createReadStream, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const DIMENSIONS = 384;
const CHANGES = 7;
const [verb, engine, folder, corpus, count, queries, work] = process.argv.slice(2);
const chunks = Number(count);

/** Documents with their vectors; knows how much time it took to read them. */
function feedOf() {
  const feed = { cpuS: 0, wallS: 0 };
  async function* documents() {
    const file = openSync(resolve(work, "vectors.f32"), "r");
    let left = chunks;
    for await (const line of createInterface({ input: createReadStream(corpus) })) {
      const [name, parts] = JSON.parse(line);
      const texts = parts.slice(0, left);
      const values = new Float32Array(texts.length * DIMENSIONS);
      readSync(file, values);
      yield { name, texts, vectors: { rows: texts.length, dimensions: DIMENSIONS, values } };
      left -= texts.length;
      if (left <= 0) break;
    }
    closeSync(file);
  }
  async function* timed() {
    const made = documents();
    for (;;) {
      const [cpu, wall] = [cpuS(), performance.now()];
      const { value, done } = await made.next();
      feed.cpuS += cpuS() - cpu;
      feed.wallS += (performance.now() - wall) / 1000;
      if (done) return;
      yield value;
    }
  }
  return Object.assign(feed, { documents: timed });
}

function cpuS() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Highest resident memory of this process so far, in MB. */
function peakMb() {
  return (process.resourceUsage().maxRSS * 1024) / 1e6;
}

function files() {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((each) => each.isFile()).map((each) => resolve(each.parentPath, each.name));
}

/** Read a file once, so that a first search is not a measurement of the disk. */
function warm(path) {
  const part = Buffer.alloc(1 << 20);
  const file = openSync(path, "r");
  while (readSync(file, part) > 0);
  closeSync(file);
}

async function build(made) {
  const feed = feedOf();
  const [cpu, wall] = [cpuS(), performance.now()];
  await made.build(feed.documents());
  respond({
    build_s: (performance.now() - wall) / 1000 - feed.wallS,
    build_cpu_s: cpuS() - cpu - feed.cpuS,
    peak_mb: peakMb(),
    disk_mb: files().reduce((sum, path) => sum + statSync(path).size, 0) / 1e6,
  });
}

async function serve(made) {
  const { texts, vectors: drawn } = JSON.parse(readFileSync(queries, "utf8"));
  const vectors = drawn.map((vector) => Float32Array.from(vector));
  const ask = (leg, at) => {
    if (leg === "hybrid") return made.hybrid(texts[at], vectors[at]);
    return leg === "dense" ? made.dense(vectors[at]) : made.keyword(texts[at]);
  };
  for (const path of files()) warm(path);
  globalThis.gc?.();
  const began = performance.now();
  await made.open();
  await ask("hybrid", 0);
  respond({ first_ms: performance.now() - began, first_mb: peakMb() });
  for await (const line of createInterface({ input: process.stdin })) {
    const { leg, first, count } = JSON.parse(line);
    const [ms, found] = [[], []];
    for (let at = first; at < first + count; at += 1) {
      const start = performance.now();
      const answer = await ask(leg, at);
      ms.push(performance.now() - start);
      found.push(leg === "hybrid" ? answer.length : answer);
    }
    respond({ ms, found, peak_mb: peakMb() });
  }
  if (made.changeOne) respond({ change_ms: await changeSome(made) });
}

/** Milliseconds to index one changed document of some ten chunks, for a few documents. */
async function changeSome(made) {
  const taken = [];
  let first = 0;
  for await (const { name, texts, vectors } of feedOf().documents()) {
    if (texts.length >= 8 && texts.length <= 12) {
      const start = performance.now();
      await made.changeOne(name, texts, vectors, first);
      taken.push(performance.now() - start);
    }
    if (taken.length === CHANGES) break;
    first += texts.length;
  }
  return taken;
}

function respond(answer) {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

const { make } = await import(`./node_engines/${engine}.mjs`);
const made = await make(resolve(folder), work);
await (verb === "build" ? build(made) : serve(made));
// An engine may have threads that would keep the process alive.
process.exit();
