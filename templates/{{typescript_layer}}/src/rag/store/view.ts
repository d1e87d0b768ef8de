/** One committed state of the index, as both legs read it. */

import type Database from "better-sqlite3";
import type { ChunkId, Filter, Hit } from "../contracts.ts";
import { StoreError } from "../errors.ts";
import { quoted } from "../quoted.ts";
import { isText, rowIsIntact } from "./checksums.ts";
import { damaged } from "./faults.ts";
import { readLengths } from "./lengths.ts";
import type { State } from "./manifest.ts";
import type { Connection } from "./schema.ts";
import { highest } from "./vectors.ts";

const MOST_VARIABLES = 500;
const MOST_STATEMENTS = 50;

type Statement = Database.Statement<(string | number)[]>;

/** What can be read at `state`; loads nothing before it is asked. */
export type View = {
  readonly connection: Connection;
  readonly path: string;
  readonly state: Readonly<State>;
  /** By chunk number: 0 where it is free, else the chunk's length plus 1. */
  slots(): Uint32Array;
  /** By chunk number: 1 for what a search must not return; undefined if it may return all. */
  refused(where: Filter | undefined): Uint8Array | undefined;
  /** Numbers of public ids, in their order; throws StoreError when there is no such chunk. */
  numbers(ids: readonly ChunkId[]): number[];
  /** The `depth` best by falling score, ties by rising public id. */
  ranking(numbers: readonly number[], scores: Float64Array, depth: number): Hit[];
  /** Rows of `query`, which ends in the name of a column that must be one of `values`. */
  where<Row extends unknown[]>(query: string, values: readonly (string | number)[]): Generator<Row>;
};

export function openView(connection: Connection, path: string, state: State): View {
  const masks = new Map<string, Uint8Array>();
  const statements = new Map<string, Statement>();
  let lengths: Uint32Array | undefined;
  let free: Uint8Array | undefined;

  function slots(): Uint32Array {
    lengths ??= readLengths(connection, path, state);
    return lengths;
  }

  function freeNumbers(): Uint8Array | undefined {
    if (state.chunks === slots().length) return undefined;
    free ??= Uint8Array.from(slots(), (length) => (length === 0 ? 1 : 0));
    return free;
  }

  /** Preparing takes longer than running; most queries ask for the same number of values. */
  function statement(query: string, count: number): Statement {
    const sql = `${query} IN (${Array(count).fill("?").join(",")})`;
    let prepared = statements.get(sql);
    if (!prepared) {
      if (statements.size >= MOST_STATEMENTS) statements.clear();
      prepared = connection.prepare<(string | number)[]>(sql).raw();
      statements.set(sql, prepared);
    }
    return prepared;
  }

  function* where<Row extends unknown[]>(
    query: string,
    values: readonly (string | number)[],
  ): Generator<Row> {
    const sound = values.filter((value) => typeof value === "number" || isText(value));
    for (let at = 0; at < sound.length; at += MOST_VARIABLES) {
      const part = sound.slice(at, at + MOST_VARIABLES);
      yield* statement(query, part.length).all(...part) as Row[];
    }
  }

  function idsOf(numbers: readonly number[]): ChunkId[] {
    const found = new Map<number, ChunkId>();
    const query = "SELECT number, id, id_checksum FROM chunk WHERE number";
    for (const [number, id, checksum] of where<[number, ChunkId, number]>(query, numbers)) {
      if (!rowIsIntact(checksum, number, id)) {
        throw damaged(path, `the id of chunk ${number} does not match its checksum`);
      }
      found.set(number, id);
    }
    return numbers.map((number) => {
      const id = found.get(number);
      if (id === undefined) throw damaged(path, "an index names a chunk that is not there");
      return id;
    });
  }

  return {
    connection,
    path,
    state,
    slots,
    where,
    refused(filter) {
      if (!filter?.prefix) return freeNumbers();
      let mask = masks.get(filter.prefix);
      if (!mask) {
        mask = new Uint8Array(slots().length).fill(1);
        for (const number of numbersBelow(connection, filter.prefix)) mask[number] = 0;
        masks.set(filter.prefix, mask);
      }
      return mask;
    },
    numbers(ids) {
      const query = "SELECT id, number FROM chunk WHERE id";
      const found = new Map(where<[ChunkId, number]>(query, ids));
      return ids.map((id) => {
        const number = found.get(id);
        if (number === undefined)
          throw new StoreError(`there is no chunk ${quoted(id)} in the index`);
        return number;
      });
    },
    ranking(numbers, scores, depth) {
      const least = numbers.length > depth ? highest(scores, depth) : -Infinity;
      const kept = numbers.flatMap((number, at) => {
        const score = scores[at] ?? 0;
        return score >= least ? [{ number, score }] : [];
      });
      const ids = idsOf(kept.map(({ number }) => number));
      const hits = kept.map(({ score }, at): Hit => ({ chunkId: ids[at] as ChunkId, score }));
      hits.sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
      return hits.slice(0, depth);
    },
  };
}

function numbersBelow(connection: Connection, prefix: string): number[] {
  if (!isText(prefix)) return [];
  const end = after(prefix);
  const within = end === undefined ? "document.id >= ?" : "document.id >= ? AND document.id < ?";
  return connection
    .prepare<string[], number>(
      "SELECT chunk.number FROM document JOIN chunk ON chunk.document = document.number " +
        `WHERE ${within}`,
    )
    .pluck()
    .all(...(end === undefined ? [prefix] : [prefix, end]));
}

/** The first text, in code point order, behind all that start with `prefix`; undefined: none. */
function after(prefix: string): string | undefined {
  const kept = [...prefix.replace(/\u{10ffff}+$/u, "")];
  const last = kept.pop()?.codePointAt(0);
  if (last === undefined) return undefined;
  // UTF-8 holds no surrogates: U+E000 comes right after U+D7FF.
  return kept.join("") + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1);
}
