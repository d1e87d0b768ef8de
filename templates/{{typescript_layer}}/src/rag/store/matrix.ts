/** Rows of float32 in one buffer, which a kernel scans in place. */

import type { Vector } from "../contracts.ts";
import { buildKernel, LANES } from "./kernel.ts";

const PAGE = 1 << 16;
const ROWS_AT_ONCE = 4096;
const MOST_BYTES = 2 ** 32 - PAGE;

/** A matrix whose rows can be set and scanned; it starts with zeros. */
export type ScannedMatrix = {
  /** Have room for `rows` rows; what is there stays. */
  reserve(rows: number): void;
  /** Set consecutive rows from `row` on, given one after another. */
  set(row: number, values: Float32Array): void;
  /** A row, valid until the next `reserve`. */
  row(row: number): Vector;
  /** Inexact inner products of the first rows with `vector`, as many as `scores` is long. */
  scan(vector: Vector, scores: Float32Array): void;
};

/** Whether a matrix can hold that many rows: WebAssembly addresses 4 GB. */
export function fitsMemory(rows: number, dimensions: number): boolean {
  return layoutOf(dimensions).rows + rows * layoutOf(dimensions).rowBytes <= MOST_BYTES;
}

export function buildScannedMatrix(dimensions: number): ScannedMatrix {
  const layout = layoutOf(dimensions);
  const stride = layout.rowBytes / 4;
  const { memory, scan } = buildKernel(layout.rows / PAGE);
  const floats = (address: number, length: number) =>
    new Float32Array(memory.buffer, address, length);
  return {
    reserve(rows) {
      const pages = Math.ceil(
        (layout.rows + rows * layout.rowBytes - memory.buffer.byteLength) / PAGE,
      );
      if (pages > 0) memory.grow(pages);
    },
    set(row, values) {
      const rows = values.length / dimensions;
      const target = floats(layout.rows + row * layout.rowBytes, rows * stride);
      if (stride === dimensions) return target.set(values);
      for (let at = 0; at < rows; at += 1) {
        target.set(values.subarray(at * dimensions, (at + 1) * dimensions), at * stride);
      }
    },
    row: (row) => floats(layout.rows + row * layout.rowBytes, dimensions),
    scan(vector, scores) {
      floats(0, stride).fill(0).set(vector);
      for (let at = 0; at < scores.length; at += ROWS_AT_ONCE) {
        const count = Math.min(ROWS_AT_ONCE, scores.length - at);
        scan(layout.rows + at * layout.rowBytes, 0, layout.scores, count, layout.rowBytes);
        scores.set(floats(layout.scores, count), at);
      }
    },
  };
}

/** Addresses of the query, which is at 0, of a part of the scores, and of the rows. */
function layoutOf(dimensions: number) {
  const rowBytes = 4 * LANES * Math.ceil(dimensions / LANES);
  const scores = rowBytes;
  return {
    rowBytes,
    scores,
    rows: PAGE * Math.ceil((scores + 4 * ROWS_AT_ONCE) / PAGE),
  };
}
