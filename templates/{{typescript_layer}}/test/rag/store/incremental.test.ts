import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openStore } from "../../../src/rag/store/reader.ts";
import { verifyIndex } from "../../../src/rag/store/verify.ts";
import { analyze, DIMENSIONS, draws, MANIFEST, newIndex, write } from "./building.ts";

const TEXTS = fc.constantFrom(
  "pump valve",
  "pump",
  "tank tank",
  "steam pipe gauge",
  "valve \u{1f600} steam",
  "-",
);
const NAMES = fc.constantFrom(..."abcdef").map((name) => `${name}.md`);
const RUN = fc.dictionary(NAMES, fc.option(fc.array(TEXTS, { maxLength: 4 }), { nil: null }), {
  minKeys: 1,
  maxKeys: 4,
});
const QUERIES = [["pump"], ["tank", "valve", "pump"], ["steam", "steam", "-"]];

function answers(path: string) {
  const store = openStore(path, MANIFEST);
  try {
    const { corpusDigest, indexDigest, terms } = store.stats();
    return {
      keyword: QUERIES.map((query) => store.searchKeyword(query, 7)),
      dense: [1, 2, 3].map((seed) => store.searchDense(draws(seed, DIMENSIONS), 7)),
      corpusDigest,
      indexDigest,
      terms,
    };
  } finally {
    store.close();
  }
}

test("edits leave what a rebuild from nothing would", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(RUN, { minLength: 1, maxLength: 5 }), async (runs) => {
      const edited = newIndex();
      const documents: Record<string, readonly string[]> = {};
      for (const run of runs) {
        const put = Object.entries(run).flatMap(([name, texts]) => (texts ? [[name, texts]] : []));
        const removed = Object.keys(run).filter((name) => name in documents && !run[name]);
        for (const name of removed) delete documents[name];
        Object.assign(documents, Object.fromEntries(put));
        await write(edited, Object.fromEntries(put), { removed });
      }
      const rebuilt = newIndex();
      await write(rebuilt, documents);
      expect(answers(edited)).toEqual(answers(rebuilt));
      expect(await verifyIndex(edited, { analyze })).toEqual([]);
    }),
    { numRuns: 8 },
  );
});

test("a rebuild writes the bytes of a first run, but for its number and the time", async () => {
  const corpus = { "a.md": ["pump valve", "pump"], "b.md": ["tank", "valve \u{1f600}"] };
  const [first, again] = [newIndex(), newIndex()];
  await write(first, corpus);
  await write(again, { "z.md": ["steam"] });
  await write(again, corpus, { rebuild: true });
  expect(rowsOf(again)).toEqual(rowsOf(first));
});

/** Every row of what a search reads. */
function rowsOf(path: string): unknown[] {
  const connection = new Database(path, { readonly: true });
  const tables = ["document", "chunk", "lengths", "term", "posting"];
  const rows = tables.map((table) => connection.prepare(`SELECT * FROM ${table}`).raw().all());
  const vectors = connection.prepare("SELECT block, vectors FROM vectors").raw().all();
  connection.close();
  return [...rows, vectors];
}
