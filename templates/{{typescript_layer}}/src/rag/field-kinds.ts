/** Kinds of settings: what a variable's text may be, and what it is read as. */

import * as z from "zod";

/** One setting; `allowed` is its range in words. */
export type Field<T> = {
  readonly reason: string;
  readonly initial: T;
  readonly allowed: string;
  readonly read: z.ZodType<T, string>;
};

const NUMBER = z
  .string()
  .regex(/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/)
  .transform((digits) => Number(digits) + 0);

export function text(reason: string, initial: string): Field<string> {
  return { reason, initial, allowed: "text", read: z.string() };
}

export function whole(reason: string, initial: number, least = 1, most = 100_000): Field<number> {
  const read = NUMBER.pipe(z.int().min(least).max(most));
  return { reason, initial, allowed: `a whole number from ${least} to ${most}`, read };
}

export function real(reason: string, initial: number, least: number, most: number): Field<number> {
  const read = NUMBER.pipe(z.number().min(least).max(most));
  return { reason, initial, allowed: `a number from ${least} to ${most}`, read };
}

export function ratio(reason: string, initial: number): Field<number> {
  return real(reason, initial, 0, 1);
}

export function seconds(reason: string, initial: number): Field<number> {
  const read = NUMBER.pipe(z.number().gt(0).max(3600));
  return { reason, initial, allowed: "a number above 0 to 3600", read };
}

export function choice<const T extends string>(field: {
  readonly reason: string;
  readonly initial: T;
  readonly values: readonly T[];
}): Field<T> {
  const { reason, initial, values } = field;
  return {
    reason,
    initial,
    allowed: `one of ${[...values].sort().join(", ")}`,
    read: z.enum(values),
  };
}
