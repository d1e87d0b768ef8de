/** Results per leg, before fusion. */
export const DEPTH = 50;
/** Fused results whose texts are loaded. */
const SHOWN = 10;
const RANK_CONSTANT = 60;

/** The best by reciprocal rank fusion. */
export function fused(...rankings) {
  const scores = new Map();
  for (const ranking of rankings) {
    ranking.forEach((number, at) => {
      scores.set(number, (scores.get(number) ?? 0) + 1 / (RANK_CONSTANT + at + 1));
    });
  }
  const ranked = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return ranked.slice(0, SHOWN).map(([number]) => number);
}
