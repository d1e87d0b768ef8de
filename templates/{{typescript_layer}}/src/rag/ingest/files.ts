/** Reading of files: regular ones alone, and never past a limit. */

import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

import { systemReason } from "../system-errors.ts";

const BLOCK_BYTES = 1 << 20;
// Windows has neither of the two last.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The file holds more bytes than the limit; `size` is what is known of it. */
export class TooLargeError extends Error {
  readonly size: number;

  constructor(size: number) {
    super(`${size} bytes`);
    this.name = new.target.name;
    this.size = size;
  }
}

/** Something that has a name and is no regular file. */
export class NotRegularError extends Error {}

/**
 * Yield a file's bytes in blocks. No link is followed, and no pipe or device waited for.
 *
 * @throws Error it can't be read, or is no regular file; see `whyUnreadable`.
 */
export function* readBlocks(path: string): Generator<Buffer> {
  const descriptor = openSync(path, FLAGS);
  try {
    if (!fstatSync(descriptor).isFile()) throw new NotRegularError("not a regular file");
    for (;;) {
      const block = Buffer.allocUnsafe(BLOCK_BYTES);
      const count = readSync(descriptor, block);
      if (count === 0) return;
      yield block.subarray(0, count);
    }
  } finally {
    closeSync(descriptor);
  }
}

/**
 * SHA-256 of a file's bytes, in hex.
 *
 * @throws Error it can't be read.
 * @throws TooLargeError it has grown past `maxBytes`.
 */
export function hashFile(path: string, maxBytes: number): string {
  const digest = createHash("sha256");
  let size = 0;
  for (const block of readBlocks(path)) {
    size += block.length;
    if (size > maxBytes) throw new TooLargeError(size);
    digest.update(block);
  }
  return digest.digest("hex");
}

/**
 * All bytes of a regular file.
 *
 * @throws Error it can't be read.
 */
export function readFile(path: string): Buffer {
  return Buffer.concat([...readBlocks(path)]);
}

/** What the system says of a failed call, without the path; undefined for any other fault. */
export function whyUnreadable(error: unknown): string | undefined {
  if (error instanceof NotRegularError) return error.message;
  return error instanceof Error && "errno" in error ? systemReason(error) : undefined;
}
