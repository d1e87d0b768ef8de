/** No vector that would poison an index or a query gets past this. */

import type { Matrix } from "../contracts.ts";
import { EmbeddingError } from "../errors.ts";

export type Expected = {
  /** Numbers of the texts, for messages. */
  readonly rows: readonly number[];
  readonly dimensions: number;
  /** The model, for messages. */
  readonly origin: string;
};

/**
 * Return `vectors` scaled to length 1, with one row for each of the texts.
 *
 * @throws EmbeddingError there are not as many rows as texts, or a row has another size, NaN, an
 *   infinity, or only zeros; the message holds the row and the reason.
 */
export function validated(vectors: Matrix, { rows, dimensions, origin }: Expected): Matrix {
  if (vectors.rows !== rows.length) {
    throw new EmbeddingError(`${origin} returned ${vectors.rows} vectors for ${rows.length} texts`);
  }
  if (rows.length > 0 && vectors.dimensions !== dimensions) {
    throw new EmbeddingError(
      `${origin}: the vector of text ${rows[0]} has ${vectors.dimensions} dimensions, ` +
        `expected ${dimensions}`,
    );
  }
  const values = new Float32Array(rows.length * dimensions);
  for (const [row, text] of rows.entries()) {
    const vector = vectors.values.subarray(row * dimensions, (row + 1) * dimensions);
    const length = lengthOf(vector);
    if (!(Number.isFinite(length) && length > 0)) {
      throw new EmbeddingError(`${origin}: the vector of text ${text} ${fault(vector)}`, {
        fix: "It was not kept. Check the model, and that the text is not blank.",
      });
    }
    for (let at = 0; at < dimensions; at += 1) {
      values[row * dimensions + at] = (vector[at] ?? 0) / length;
    }
  }
  return { rows: rows.length, dimensions, values };
}

/** Sums in double precision, so that the squares of whole counts are added exactly. */
function lengthOf(vector: Float32Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.sqrt(sum);
}

function fault(vector: Float32Array): string {
  if (vector.some(Number.isNaN)) return "holds NaN";
  return vector.every(Number.isFinite) ? "holds only zeros" : "holds an infinity";
}
