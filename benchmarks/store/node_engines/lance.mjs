/** LanceDB for Node: one table, its native full-text index, an exact scan of the vectors. */

import { createRequire } from "node:module";
import { resolve } from "node:path";
import { DEPTH, fused } from "./fused.mjs";

const ROWS = 5000;

export async function make(folder, work) {
  // With the two threads of a machine of two cores, a large full-text index is never finished.
  process.env.LANCE_CPU_THREADS ??= "8";
  const require = createRequire(resolve(work, "lance-node", "package.json"));
  const lancedb = require("@lancedb/lancedb");
  const database = await lancedb.connect(folder);
  let table;
  const nearest = (vector) =>
    table.query().nearestTo(vector).distanceType("dot").bypassVectorIndex().limit(DEPTH);
  const best = (text) => table.query().fullTextSearch(text, { columns: ["text"] }).limit(DEPTH);
  const numbers = (rows) => rows.map(({ number }) => Number(number));
  return {
    async build(documents) {
      let rows = [];
      let first = 0;
      const flush = async () => {
        if (rows.length === 0) return;
        if (table) await table.add(rows);
        else table = await database.createTable("chunks", rows);
        rows = [];
      };
      for await (const { texts, vectors } of documents) {
        texts.forEach((text, at) => {
          const from = at * vectors.dimensions;
          const vector = vectors.values.subarray(from, from + vectors.dimensions);
          rows.push({ number: first + at, text, vector });
        });
        first += texts.length;
        if (rows.length >= ROWS) await flush();
      }
      await flush();
      const config = lancedb.Index.fts({ language: "English", stem: true });
      await table.createIndex("text", { config });
    },
    async open() {
      table = await database.openTable("chunks");
    },
    dense: async (vector) => numbers(await nearest(vector).select(["number", "_distance"]).toArray()),
    keyword: async (text) => numbers(await best(text).select(["number", "_score"]).toArray()),
    async hybrid(text, vector) {
      const legs = [
        await nearest(vector).select(["number", "text", "_distance"]).toArray(),
        await best(text).select(["number", "text", "_score"]).toArray(),
      ];
      const texts = new Map(legs.flat().map((row) => [Number(row.number), row.text]));
      return fused(...legs.map(numbers)).map((number) => texts.get(number));
    },
  };
}
