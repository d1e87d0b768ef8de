/** Says the question back and quotes the first passage: it shows the wiring, and knows nothing. */

import { trimBlanks } from "../code-points.ts";
import { type Generator, NO_USAGE } from "../contracts.ts";
import { DECLINED, encodeReply } from "./reply.ts";
import { splitLines } from "./sentences.ts";
import { holdsWord } from "./words.ts";

/** Cites the first line with a word in it, of the first passage that has one. */
export function buildEchoGenerator(): Generator {
  return {
    async generate(_prompt, question, passages) {
      for (const [at, { chunk }] of passages.entries()) {
        const line = splitLines(chunk.text).find(holdsWord);
        if (line === undefined) continue;
        const cited = [{ passage: at + 1, quote: trimBlanks(line) }];
        const text = encodeReply(`You asked: ${question} [${at + 1}]`, cited);
        return { text, usage: NO_USAGE, truncated: false };
      }
      return { text: DECLINED, usage: NO_USAGE, truncated: false };
    },
  };
}
