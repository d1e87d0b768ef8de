/**
 * Checksums that travel with every stored row, and digests that name a content.
 *
 * A checksum covers a row and its place, so that two intact rows that changed places are found
 * too. A digest is a sum over elements modulo 2^256: it follows an edit without a scan, and does
 * not depend on the order of edits.
 */

import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

export const DIGEST_MODULUS = 1n << 256n;

const LONE_SURROGATE = /[\ud800-\udfff]/u;

/** Whether UTF-8 can hold it; a lone surrogate is in no document. */
export function isText(value: string): boolean {
  return !LONE_SURROGATE.test(value);
}

/** Fields as one compact JSON array in UTF-8; texts hold no lone surrogate. */
export function canonical(...fields: readonly unknown[]): Buffer {
  return Buffer.from(JSON.stringify(fields));
}

/** CRC-32 of the canonical fields. */
export function rowChecksum(...fields: readonly unknown[]): number {
  return crc32(JSON.stringify(fields));
}

/** CRC-32 of a blob at its place, such as `lengths 7`. */
export function blobChecksum(blob: Uint8Array, place: string): number {
  return crc32(blob, crc32(place));
}

/** Whether the row still has the checksum it was written with. */
export function rowIsIntact(checksum: unknown, ...fields: readonly unknown[]): boolean {
  return rowChecksum(...fields) === checksum;
}

/** Whether the blob still has the checksum it was written with. */
export function blobIsIntact(checksum: unknown, blob: unknown, place: string): blob is Buffer {
  return Buffer.isBuffer(blob) && blobChecksum(blob, place) === checksum;
}

/** One addend of a digest: SHA-256 over the parts, each preceded by its length in 8 bytes. */
export function element(...parts: readonly Uint8Array[]): bigint {
  const sha = createHash("sha256");
  const length = Buffer.alloc(8);
  for (const part of parts) {
    length.writeUInt32BE(part.byteLength, 4);
    sha.update(length).update(part);
  }
  return BigInt(`0x${sha.digest("hex")}`);
}

/** The least non-negative number that is congruent to a sum of elements. */
export function reduced(digest: bigint): bigint {
  return ((digest % DIGEST_MODULUS) + DIGEST_MODULUS) % DIGEST_MODULUS;
}
