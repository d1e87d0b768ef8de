/** What a scan finds: a source to load, or something skipped and why. */

import type { DocumentId } from "../contracts.ts";

/** A file to load. `digest` is the SHA-256 of its raw bytes, in hex. */
export type Source = {
  readonly kind: "source";
  readonly id: DocumentId;
  readonly path: string;
  readonly digest: string;
};

/**
 * Something seen and not indexed: a file, or a folder whose `source` ends with `/`.
 *
 * A folder counts once, whatever it holds. `reason` is one of
 *
 * - `ignored`: hidden, a package folder, a virtual environment or a cache, or excluded by a
 *   `.gitignore`, whose line `detail` holds;
 * - `too_large`, `empty`, `binary`, `undecodable`;
 * - `outside_root`, `duplicate`, `broken_link`: a symbolic link that leads out of the root, to
 *   what is read under its own name, or to nothing;
 * - `not_a_file`: a pipe, socket or device, which is never opened;
 * - `bad_name`: a name that is not UTF-8;
 * - `unreadable`: it can't be opened, or is damaged;
 * - `unsupported`: a format that this service does not read.
 */
export type Skipped = {
  readonly kind: "skipped";
  readonly source: string;
  readonly reason: string;
  readonly detail: string;
};

export function skip(source: string, reason: string, detail: string): Skipped {
  return { kind: "skipped", source, reason, detail };
}
