/** Settings -> reranker. */

import type { Reranker } from "../contracts.ts";
import { ConfigError, RerankError } from "../errors.ts";
import { quoted } from "../quoted.ts";
import { bearer, buildJsonClient } from "../transport.ts";

export const KINDS = ["none", "lexical", "http"] as const;

export type RerankerOptions = {
  readonly model?: string;
  readonly url?: string;
  readonly apiKey?: string;
  readonly timeoutS?: number;
};

/**
 * Build the reranker of a kind; `none` is null.
 *
 * @throws ConfigError there is no such kind, or `http` has no address.
 */
export async function buildReranker(
  kind: string,
  { model = "", url = "", apiKey = "", timeoutS = 10 }: RerankerOptions = {},
): Promise<Reranker | null> {
  if (kind === "none") return null;
  if (kind === "lexical") {
    const { buildLexicalReranker } = await import("./lexical.ts");
    return buildLexicalReranker();
  }
  if (kind === "http") {
    const { buildHttpReranker } = await import("./http.ts");
    const headers = bearer(apiKey);
    return buildHttpReranker(
      buildJsonClient(url, { error: RerankError, timeoutS, headers }),
      model,
    );
  }
  throw new ConfigError(`no reranker ${quoted(kind)}; there are: ${KINDS.join(", ")}`);
}
