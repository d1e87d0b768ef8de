/** Where `RerankedPassages` pass through, types stay what they say. */

import { RAG, TOKEN } from "./layout.ts";
import { breach, partOf, type Source, type Violation } from "./parsing.ts";
import { nodesOf, referencesOf } from "./references.ts";
import type { Resolve } from "./resolution.ts";
import { CASTS, child, childrenIn, nameOf, type Syntax, unwrapped, walk } from "./syntax.ts";
import type { Mentions } from "./token-types.ts";

const CONTRACTS = `${RAG}/contracts.ts`;

/** A file that handles the token keeps its types: no `any`, no `as never`, no silenced error. */
export function* checkHandlers(
  source: Source,
  mentions: Mentions,
  resolve: Resolve,
): Generator<Violation> {
  if (source.isTest || source.path === CONTRACTS) return;
  const feeds = referencesOf(source).some(({ specifier }) => {
    const target = resolve(source.path, specifier);
    return target.kind === "file" && partOf(target.path) === "generate";
  });
  if (!(feeds && source.part !== "generate") && !mentions(source, source.program)) return;
  const rule = "typed-passages";
  for (const node of nodesOf(source)) {
    if (node.type !== "TSAnyKeyword" && !isForced(node)) continue;
    const advice = `any and never fit every type, ${TOKEN} too: write the type that it is`;
    yield breach(source, node, rule, advice);
  }
  for (const comment of source.comments) {
    if (!/^[\s/*]*@ts-(ignore|expect-error|nocheck)\b/.test(comment.value)) continue;
    const advice = `an error is silenced where ${TOKEN} is handled: mend what it says`;
    yield breach(source, comment, rule, advice);
  }
}

/** Below `rag/`, no function casts to whatever its caller asks for. */
export function* checkGenericCasts(source: Source): Generator<Violation> {
  if (source.part === null) return;
  for (const node of nodesOf(source)) {
    const free = freeParameters(node);
    if (free.length === 0) continue;
    for (const cast of walk(node).filter((inner) => CASTS.includes(inner.type))) {
      const target = nameOf(child(child(cast, "typeAnnotation"), "typeName"));
      if (target === null || !free.includes(target)) continue;
      const advice = `a cast to ${target} casts to what the caller asks for: check the value instead`;
      yield breach(source, cast, "no-generic-casts", advice);
    }
  }
}

/** Type parameters that no argument of the function settles. */
function freeParameters(node: Syntax): readonly string[] {
  const declared = childrenIn(child(node, "typeParameters"), "params");
  const names = declared.map((each) => nameOf(child(each, "name")));
  const given = childrenIn(node, "params").flatMap((parameter) => walk(parameter));
  const settled = given
    .filter((inner) => inner.type === "TSTypeReference")
    .map((inner) => nameOf(child(inner, "typeName")));
  return names.filter((name) => name !== null).filter((name) => !settled.includes(name));
}

/** Whether an expression is cast to `any` or `never`, which fit every type. */
export function isForced(node: Syntax | null): boolean {
  const bare = unwrapped(node);
  if (bare === null || !CASTS.includes(bare.type)) return false;
  return /^TS(Any|Never)Keyword$/.test(child(bare, "typeAnnotation")?.type ?? "");
}
