/** PDF, Office and EPUB files: told apart from text, and not read. */

import { UnusableError } from "./decoding.ts";

const ZIP = Buffer.from("PK\x03\x04", "latin1");
const OLE = Buffer.from("\xd0\xcf\x11\xe0", "latin1");
const SIGNATURES: ReadonlyMap<string, Buffer> = new Map([
  [".pdf", Buffer.from("%PDF-", "latin1")],
  [".docx", ZIP],
  [".pptx", ZIP],
  [".xlsx", ZIP],
  [".xls", OLE],
  [".epub", ZIP],
]);
const FIRST_BYTES = 1024;

export function isOffice(suffix: string): boolean {
  return SIGNATURES.has(suffix);
}

/** Why such a file is not indexed: `empty`, `unreadable` or `unsupported`. */
export function refuseOffice(raw: Uint8Array, suffix: string): UnusableError {
  if (raw.every((byte) => byte === 0 || byte === 9 || byte === 10 || byte === 13 || byte === 32)) {
    return new UnusableError("empty", "there is nothing in it");
  }
  const signature = SIGNATURES.get(suffix);
  if (!signature || !Buffer.from(raw.subarray(0, FIRST_BYTES)).includes(signature)) {
    return new UnusableError("unreadable", `its content is not that of a ${suffix} file`);
  }
  return new UnusableError("unsupported", `${suffix} files are not read; convert it to Markdown`);
}
