/** The store of a rendered TypeScript service, as it is. */

import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { DEPTH, fused } from "./fused.mjs";

const MANIFEST = { entries: { analysis: "1" }, probe: null };

const hexed = (text) => createHash("sha256").update(text).digest("hex");
const idOf = (number) => String(number).padStart(8, "0");

/** A document and its chunks; a chunk's id is its place in the corpus. */
function made(name, texts, first, countCodePoints) {
  let start = 0;
  const chunks = texts.map((text, ordinal) => {
    const end = start + countCodePoints(text);
    const chunk = {
      id: idOf(first + ordinal),
      documentId: name,
      ordinal,
      start,
      end,
      text,
      headingPath: [],
      digest: hexed(text),
      preamble: "",
    };
    start = end;
    return chunk;
  });
  const text = texts.join("");
  const document = { id: name, text, digest: hexed(text), source: name, title: "", metadata: {} };
  return { document, chunks };
}

export async function make(folder, work) {
  const load = (name) =>
    import(pathToFileURL(resolve(work, "service-node", "src", "rag", `${name}.ts`)).href);
  const { buildAnalyzer } = await load("analysis");
  const { openStore } = await load("store/reader");
  const { openWriter } = await load("store/transaction");
  const { countCodePoints } = await load("code-points");
  const path = resolve(folder, "index.sqlite");
  const analyze = buildAnalyzer("english").terms;
  let store;
  const engine = {
    build: (documents) =>
      openWriter(path, MANIFEST, { analyze }, async (writer) => {
        let first = 0;
        for await (const { name, texts, vectors } of documents) {
          const { document, chunks } = made(name, texts, first, countCodePoints);
          writer.put(document, chunks, vectors, document.digest);
          first += texts.length;
        }
      }),
    open: () => {
      store = openStore(path, MANIFEST);
    },
    dense: (vector) => store.searchDense(vector, DEPTH).map(({ chunkId }) => Number(chunkId)),
    keyword: (text) =>
      store.searchKeyword(analyze(text), DEPTH).map(({ chunkId }) => Number(chunkId)),
    hybrid: (text, vector) =>
      store.snapshot(() => {
        const best = fused(engine.dense(vector), engine.keyword(text));
        return store.loadChunks(best.map(idOf)).map((chunk) => chunk.text);
      }),
    changeOne: (name, texts, vectors, first) => {
      const changed = texts.map((text) => `changed ${text}`);
      const { document, chunks } = made(name, changed, first, countCodePoints);
      return openWriter(path, MANIFEST, { analyze }, (writer) =>
        writer.put(document, chunks, vectors, document.digest),
      );
    },
  };
  return engine;
}
