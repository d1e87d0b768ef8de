/** JSON as the Python service writes it, byte for byte, so that either may read and compare it. */

import { compareCodePoints } from "./code-points.ts";

/** A `Map` is an object whose keys keep their order, which a plain object does not promise. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | ReadonlyMap<string, Json>
  | { readonly [key: string]: Json };

export type JsonForm = {
  /** Spaces of each level; without it, all on one line. */
  readonly indent?: number;
  /** Whether keys are in the order of their code points. */
  readonly isSorted?: boolean;
};

/** Write `value` as JSON. Whole numbers have no point, and what is not finite is null. */
export function encodeJson(value: Json, form: JsonForm = {}, level = 0): string {
  if (typeof value === "number") return encodeNumber(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => encodeJson(item, form, level + 1));
    return enclosed("[", items, "]", form, level);
  }
  const entries = [...(value instanceof Map ? value : Object.entries(value as Members))];
  if (form.isSorted) entries.sort(([left], [right]) => compareCodePoints(left, right));
  const colon = form.indent ? ": " : ":";
  const members = entries.map(
    ([key, member]) => JSON.stringify(key) + colon + encodeJson(member, form, level + 1),
  );
  return enclosed("{", members, "}", form, level);
}

type Members = { readonly [key: string]: Json };

function enclosed(
  open: string,
  items: readonly string[],
  close: string,
  { indent = 0 }: JsonForm,
  level: number,
): string {
  if (items.length === 0 || indent === 0) return open + items.join(",") + close;
  const inner = `\n${" ".repeat(indent * (level + 1))}`;
  const outer = `\n${" ".repeat(indent * level)}`;
  return [open, inner, items.join(`,${inner}`), outer, close].join("");
}

/** The shortest digits that read back as the number; below 0.00001 with an exponent. */
function encodeNumber(value: number): string {
  if (!Number.isFinite(value)) return "null";
  if (Number.isInteger(value)) return String(BigInt(value));
  return Math.abs(value) < 1e-5 ? value.toExponential() : String(value);
}
