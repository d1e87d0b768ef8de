/** The boundary, read from the syntax trees of the whole repository. The table is in layout.ts. */

import type { Parsed, Violation } from "./parsing.ts";
import { buildResolve } from "./resolution.ts";
import * as imports from "./rules-imports.ts";
import * as loading from "./rules-loading.ts";
import * as seal from "./rules-seal.ts";
import { checkClaims } from "./rules-tokens.ts";
import * as types from "./rules-types.ts";
import { readRepository } from "./sources.ts";
import { buildMentions } from "./token-types.ts";

/** Every breach below `root`, by path and line; also what is missing or can't be read. */
export function checkRepository(root: string, parsed: Parsed = new Map()): readonly Violation[] {
  const { root: base, sources, violations } = readRepository(root, parsed);
  const resolve = buildResolve(base);
  const mentions = buildMentions(sources, resolve);
  const found = sources.flatMap((source) => [
    ...imports.checkParts(source, resolve),
    ...imports.checkLibraries(source, resolve),
    ...loading.checkLoading(source),
    ...loading.checkGlobals(source),
    ...loading.checkEnvironment(source),
    ...loading.checkPatching(source),
    ...checkClaims(source, mentions),
    ...types.checkHandlers(source, mentions, resolve),
    ...types.checkGenericCasts(source),
    ...seal.checkSeal(source, resolve),
  ]);
  const overall = [...imports.checkLaw(sources, resolve), ...seal.checkSealers(sources)];
  return distinct([...violations, ...found, ...overall]);
}

/** `path:line: rule: what is wrong and what to do instead`. */
export function formatViolation({ path, line, rule, advice }: Violation): string {
  return `${path}:${line}: ${rule}: ${advice}`;
}

function distinct(violations: readonly Violation[]): readonly Violation[] {
  const byText = new Map(violations.map((each) => [formatViolation(each), each]));
  return [...byText.values()].sort(
    (a, b) => a.path.localeCompare(b.path) || a.line - b.line || a.rule.localeCompare(b.rule),
  );
}
