/** Two halves of the judged queries that have no relevant document in common. */

import { createHash } from "node:crypto";
import type { DocumentId } from "../contracts.ts";
import type { GoldenQuery } from "./golden.ts";

/**
 * Group number of each query; queries that share a relevant document share a group.
 *
 * Sharing is transitive: the groups are the connected components of queries and documents.
 */
export function groupByDocument(queries: readonly GoldenQuery[]): number[] {
  const parent = queries.map((_, position) => position);
  const root = (query: number): number => {
    let at = query;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at] ?? at] ?? at;
      at = parent[at] ?? at;
    }
    return at;
  };
  const first = new Map<DocumentId, number>();
  for (const [position, query] of queries.entries()) {
    for (const documentId of query.relevant.keys()) {
      const other = first.get(documentId) ?? position;
      first.set(documentId, other);
      const target = root(other);
      parent[root(position)] = target;
    }
  }
  return queries.map((_, position) => root(position));
}

/** Positions of two halves, as even as whole groups allow; equal arguments, equal halves. */
export function splitGroups(groups: readonly number[], seed: number): [number[], number[]] {
  const members = new Map<number, number[]>();
  for (const [position, group] of groups.entries()) {
    const positions = members.get(group) ?? [];
    positions.push(position);
    members.set(group, positions);
  }
  const ordered = [...members].map(([group, positions]) => ({
    positions,
    mark: createHash("sha256").update(`${seed}:${group}`).digest("hex"),
  }));
  ordered.sort(
    (left, right) =>
      right.positions.length - left.positions.length || (left.mark < right.mark ? -1 : 1),
  );
  const halves: [number[], number[]] = [[], []];
  for (const { positions } of ordered) {
    const [tuning, heldOut] = halves;
    (tuning.length > heldOut.length ? heldOut : tuning).push(...positions);
  }
  return halves;
}
