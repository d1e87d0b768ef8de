/** The writing side of the keyword index: collects terms of chunks, merges them into blocks. */

import { quoted } from "../quoted.ts";
import { blobChecksum, blobIsIntact } from "./checksums.ts";
import { damaged } from "./faults.ts";
import type { Numbers } from "./lengths.ts";
import { buildOccurrences } from "./occurrences.ts";
import { BLOCK, decode, ENTRY_BYTES, frequency, merge } from "./postings.ts";
import type { Connection } from "./schema.ts";

const MOST_PENDING = 3_000_000;
const MOST_COUNTED = 200_000;
const NONE = Buffer.alloc(0);

/** Where postings stand, for their checksum. */
export function postingPlace(term: string, block: number): string {
  return `${term} ${block}`;
}

/** Adds chunks to the keyword index and takes them out, inside a write transaction. */
export type InvertedIndex = {
  /** Index the chunk `number`, which holds no terms. */
  add(number: number, terms: readonly string[]): void;
  /** Take the chunk `number` out; `terms` are those it was added with. */
  remove(number: number, terms: readonly string[]): void;
  /** Write everything, document frequencies included. */
  finish(): void;
};

export function openInvertedIndex(
  connection: Connection,
  path: string,
  numbers: Numbers,
): InvertedIndex {
  const posting = postingTable(connection, path);
  const written = new Set(numbers.liveBlocks());
  const isNew = written.size === 0;
  const frequencies = isNew ? undefined : frequencyChanges(connection);
  const pending = new Set<number>();
  let added = buildOccurrences();
  let removed = buildOccurrences();

  /** A removal goes before an addition to the same number. */
  function flush(): void {
    const gone = new Map(
      [...removed.grouped()].map((group) => [postingPlace(group.term, group.block), group]),
    );
    for (const { term, block, postings } of added.grouped()) {
      const place = postingPlace(term, block);
      const before = written.has(block) ? posting.get(term, block) : NONE;
      const taken = gone.get(place)?.postings ?? NONE;
      gone.delete(place);
      const merged = before.length ? merge(before, decode(taken).offsets, postings) : postings;
      if (before.length && merged.equals(before)) continue;
      frequencies?.add(term, frequency(merged) - frequency(before));
      posting.put(term, block, merged);
    }
    for (const { term, block, postings } of gone.values()) {
      const before = posting.get(term, block);
      const left = merge(before, decode(postings).offsets, NONE);
      frequencies?.add(term, frequency(left) - frequency(before));
      posting.put(term, block, left);
    }
    for (const number of pending) written.add(Math.floor(number / BLOCK));
    added = buildOccurrences();
    removed = buildOccurrences();
    pending.clear();
    frequencies?.saveWhenMany();
  }

  return {
    add(number, terms) {
      added.append(number, terms);
      pending.add(number);
      const bulk = numbers.isFull(number) && !written.has(Math.floor(number / BLOCK));
      if (bulk || added.size() + removed.size() > MOST_PENDING) flush();
    },
    remove(number, terms) {
      if (pending.has(number)) flush();
      removed.append(number, terms);
    },
    finish() {
      flush();
      if (frequencies) frequencies.save();
      else {
        connection.exec(
          `INSERT INTO term SELECT term, sum(length(postings)) / ${ENTRY_BYTES} FROM posting ` +
            "GROUP BY term",
        );
      }
    },
  };
}

function postingTable(connection: Connection, path: string) {
  const select = connection
    .prepare<[string, number], [unknown, number]>(
      "SELECT postings, checksum FROM posting WHERE term = ? AND block = ?",
    )
    .raw();
  const replace = connection.prepare(
    "INSERT OR REPLACE INTO posting(term, block, postings, checksum) VALUES (?, ?, ?, ?)",
  );
  const drop = connection.prepare("DELETE FROM posting WHERE term = ? AND block = ?");
  return {
    get(term: string, block: number): Buffer {
      const row = select.get(term, block);
      if (!row) return NONE;
      const [postings, checksum] = row;
      if (blobIsIntact(checksum, postings, postingPlace(term, block))) return postings;
      throw damaged(path, `postings of ${quoted(term)} do not match their checksum`);
    },
    put(term: string, block: number, postings: Buffer): void {
      if (postings.length === 0) drop.run(term, block);
      else replace.run(term, block, postings, blobChecksum(postings, postingPlace(term, block)));
    },
  };
}

/** Document frequencies as they change; a new index counts its own at the end instead. */
function frequencyChanges(connection: Connection) {
  const changes = new Map<string, number>();
  const add = connection.prepare(
    "INSERT INTO term(text, frequency) VALUES (?, ?) " +
      "ON CONFLICT(text) DO UPDATE SET frequency = frequency + excluded.frequency",
  );
  const drop = connection.prepare("DELETE FROM term WHERE text = ? AND frequency = 0");
  function save(): void {
    for (const [term, change] of changes) {
      if (change !== 0) add.run(term, change);
      if (change < 0) drop.run(term);
    }
    changes.clear();
  }
  return {
    add: (term: string, change: number) => {
      changes.set(term, (changes.get(term) ?? 0) + change);
    },
    save,
    saveWhenMany: () => {
      if (changes.size > MOST_COUNTED) save();
    },
  };
}
