/** Files of one record a line, read so that every fault names its line. */

import { readFileSync } from "node:fs";
import { TextDecoder } from "node:util";
import type { ZodType } from "zod";
import { isBlank } from "../code-points.ts";
import { EvaluationError } from "../errors.ts";
import { firstIssue } from "../issues.ts";
import { systemReason } from "../system-errors.ts";

const NEWLINE = 10;
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** A line that is not blank, and its number, counted from 1. */
export type Line = { readonly number: number; readonly text: string };

/**
 * The lines of a file that are not blank.
 *
 * @throws EvaluationError the file can't be read, or a line is not UTF-8.
 */
export function* readLines(path: string): Generator<Line> {
  const bytes = readBytes(path);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let start = bytes.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0;
  for (let number = 1; start <= bytes.length; number += 1) {
    const found = bytes.indexOf(NEWLINE, start);
    const end = found < 0 ? bytes.length : found;
    const text = decode(decoder, bytes.subarray(start, end), path, number);
    if (!isBlank(text)) yield { number, text };
    start = end + 1;
  }
}

/**
 * Each line of a JSON Lines file as a record of `form`, with its number.
 *
 * @throws EvaluationError a line is not such a record.
 */
export function* readRecords<T>(
  path: string,
  form: ZodType<T>,
): Generator<{ readonly number: number; readonly record: T }> {
  for (const { number, text } of readLines(path)) {
    const read = form.safeParse(parse(text, path, number));
    if (!read.success) throw fault(path, number, firstIssue(read.error), { cause: read.error });
    yield { number, record: read.data };
  }
}

/** An error at one line of a file. */
export function fault(
  path: string,
  line: number,
  what: string,
  options: { readonly fix?: string; readonly cause?: unknown } = {},
): EvaluationError {
  return new EvaluationError(`${path}:${line}: ${what}`, options);
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new EvaluationError(`${path}: ${systemReason(error)}`, { cause: error });
  }
}

function decode(decoder: TextDecoder, bytes: Buffer, path: string, number: number): string {
  try {
    return decoder.decode(bytes).replace(/\r+$/, "");
  } catch (error) {
    throw fault(path, number, "not UTF-8", { cause: error });
  }
}

function parse(text: string, path: string, number: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw fault(path, number, `JSON is malformed: ${(error as Error).message}`, { cause: error });
  }
}
