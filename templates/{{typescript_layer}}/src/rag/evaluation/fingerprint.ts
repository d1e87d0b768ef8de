/** What a run was measured on, so that unlike runs are not compared. */

import { createHash } from "node:crypto";
import { compareCodePoints } from "../code-points.ts";
import { SETTING_NAMES, type Settings, wordedName } from "../config.ts";
import type { DocumentId } from "../contracts.ts";
import { EvaluationError } from "../errors.ts";
import { encodeJson, type Json } from "../json.ts";
import type { Golden } from "./golden.ts";

const APART = [
  "generation",
  "min_similarity",
  "min_ndcg",
  "source_dir",
  "golden_path",
  "index_dir",
];
const SECRET_OR_PLACE = ["_api_key", "_url", "_timeout_s"];

type SettingValues = Readonly<Record<string, string | number>>;

/**
 * Digests of the corpus, the golden queries and the index, and the settings in words.
 *
 * `corpus` covers document ids and their texts, so it outlives a change of chunking; `settings`
 * holds what retrieval depends on, without keys and addresses.
 */
export type Fingerprint = {
  readonly corpus: string;
  readonly golden: string;
  readonly index: string;
  readonly settings: SettingValues;
};

/** Fingerprint of a run over `documents`, digest by id, and an index of digest `index`. */
export function fingerprintOf(
  settings: Settings,
  golden: Golden,
  documents: ReadonlyMap<DocumentId, string>,
  index: string,
): Fingerprint {
  const chosen = SETTING_NAMES.map((name) => [wordedName(name), settings[name]] as const).filter(
    ([name]) =>
      !APART.some((start) => name.startsWith(start)) &&
      !SECRET_OR_PLACE.some((end) => name.endsWith(end)),
  );
  const corpus = [...documents].sort(([left], [right]) => compareCodePoints(left, right));
  return {
    corpus: digest(corpus),
    golden: digest(golden.map(goldenFields)),
    index,
    settings: Object.fromEntries(chosen),
  };
}

/** A fingerprint as JSON values; the settings as a digest and in full. */
export function fingerprintFields(fingerprint: Fingerprint): Record<string, Json> {
  return {
    corpus: fingerprint.corpus,
    golden: fingerprint.golden,
    index: fingerprint.index,
    settings: digest(fingerprint.settings),
    setting_values: fingerprint.settings,
  };
}

/** Settings in which a run differs from another, as `name: theirs -> ours`. */
export function changedSettings(run: Fingerprint, other: Fingerprint): string[] {
  const names = new Set([...Object.keys(run.settings), ...Object.keys(other.settings)]);
  return [...names]
    .sort(compareCodePoints)
    .filter((name) => run.settings[name] !== other.settings[name])
    .map((name) => `${name}: ${shown(other.settings[name])} -> ${shown(run.settings[name])}`);
}

/**
 * Refuse to compare runs over another corpus or other golden queries.
 *
 * Settings and index may differ: their effect is what a comparison measures.
 *
 * @throws EvaluationError they are unlike; the message holds both fingerprints.
 */
export function requireComparable(run: Fingerprint, other: Fingerprint): void {
  for (const name of ["corpus", "golden"] as const) {
    if (run[name] === other[name]) continue;
    throw new EvaluationError(
      `the runs have unlike fingerprints: ${name} ${run[name]} here, ${name} ${other[name]} there`,
      { fix: "Save a new baseline with `eval --save-baseline FILE`." },
    );
  }
}

function goldenFields({ id, text, relevant, slice, isAnswerable }: Golden[number]): Json {
  return { id, text, relevant: new Map(relevant), slice, answerable: isAnswerable };
}

function shown(value: string | number | undefined): string {
  return value === undefined ? "None" : String(value);
}

function digest(value: Json): string {
  return createHash("sha256")
    .update(encodeJson(value, { isSorted: true }))
    .digest("hex");
}
