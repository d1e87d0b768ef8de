/**
 * The layout of the service and who may import what: the table that its owner maintains.
 *
 * To declare a new module or stage `x` below `rag/`, give it a line in `PARTS`, and name the
 * parts that it may import and the libraries that it needs. A stage imports `contracts`,
 * `errors` and the modules of `TEXT` (and `transport` or `sdks` to reach a network), and takes
 * the rest as arguments. What is not declared here is refused.
 */

/** Where the pipeline stands in the repository, with `/`. */
export const RAG = "src/rag";

/** Folders of the repository that may wire what they like, for tests. */
export const TESTS: readonly string[] = ["test"];

/** Folders at the root that hold what tools made. */
export const BUILD_OUTPUT: readonly string[] = ["build", "coverage", "dist", "out"];

/**
 * A module or folder below `rag/`: what it may import. `libraries` are packages beside `COMMON`,
 * and those modules of Node that `GUARDED` closes to all but a few.
 */
export type Part = {
  readonly form: "file" | "folder";
  readonly parts: readonly string[];
  readonly libraries: readonly string[];
};

const file = (parts = "", libraries = ""): Part => ({ form: "file", ...names(parts, libraries) });
const folder = (parts: string, libraries = ""): Part => ({
  form: "folder",
  ...names(parts, libraries),
});

const TEXT = "code-points issues json quoted system-errors";
const SHARED = `contracts errors ${TEXT}`;
const OFFLINE = "ingest chunk embed store";
const ONLINE = "embed store retrieve rerank";

export const PARTS: Readonly<Record<string, Part>> = {
  // what every part may build on
  errors: file(),
  "code-points": file(),
  issues: file(),
  json: file("code-points"),
  "plain-text": file("", "markdown-it"),
  quoted: file(),
  "system-errors": file(),
  contracts: file(`errors ${TEXT}`),
  // what some parts build on
  "field-kinds": file(`errors ${TEXT}`),
  config: file(`errors ${TEXT} field-kinds`, "dotenv process"),
  folding: file(TEXT),
  stemming: file(`errors ${TEXT}`, "multilingual-stemmer"),
  analysis: file(`${TEXT} folding stemming`),
  addresses: file(`errors ${TEXT}`),
  replies: file(`errors ${TEXT}`),
  statuses: file(`errors ${TEXT}`),
  transport: file(`errors ${TEXT} addresses replies statuses`),
  sdks: file(`errors ${TEXT} addresses transport`, "@anthropic-ai/sdk openai"),
  // stages: none imports another
  ingest: folder(`${SHARED} plain-text`, "iconv-lite ignore markdown-it parse5"),
  chunk: folder(`${SHARED} plain-text`, "markdown-it"),
  embed: folder(`${SHARED} transport sdks`, "better-sqlite3"),
  store: folder(SHARED, "better-sqlite3"),
  retrieve: folder(SHARED),
  rerank: folder(`${SHARED} transport folding`),
  generate: folder(`${SHARED} transport sdks statuses`),
  // composition roots, which choose stages and wire them
  wiring: file(`${SHARED} config analysis ${OFFLINE} ${ONLINE}`),
  changes: file(`${SHARED} config ingest`),
  indexing: file(`${SHARED} config analysis wiring changes ${OFFLINE}`),
  retrieval: file(`${SHARED} config analysis wiring ${ONLINE}`),
  pipeline: file(`${SHARED} config wiring retrieval generate`),
  evaluation: folder(`${SHARED} config analysis indexing retrieval`),
};

const GENERATION = `generate sdks transport statuses addresses replies ${SHARED}`.split(" ");

/** What a part may not reach through any chain of imports, whatever the table above allows. */
export const LAW: Readonly<Record<string, readonly string[]>> = {
  generate: Object.keys(PARTS).filter((name) => !GENERATION.includes(name)),
  evaluation: ["generate", "pipeline"],
};

/** Parts that only one other feeds: code outside `rag/` calls that one instead. */
export const FED_BY: Readonly<Record<string, string>> = { generate: "pipeline" };

/** Packages that every part may import. */
export const COMMON: readonly string[] = ["zod"];

/** Modules of Node that open stores, start programs or load by name. */
export const GUARDED: readonly string[] =
  "child_process cluster inspector module process repl sqlite test vm wasi worker_threads".split(
    " ",
  );

/** Clients of vector stores and models, for which there is no place outside `rag/`. */
export const CLIENTS: readonly string[] = (
  "@anthropic-ai/sdk @elastic/elasticsearch @google/genai @huggingface/inference " +
  "@huggingface/transformers @lancedb/lancedb @langchain/core @mistralai/mistralai " +
  "@opensearch-project/opensearch @pinecone-database/pinecone @qdrant/js-client-rest " +
  "@xenova/transformers @zilliz/milvus2-sdk-node ai chromadb cohere-ai faiss-node groq-sdk " +
  "hnswlib-node langchain llamaindex ollama openai sqlite-vec usearch voyageai " +
  "weaviate-client weaviate-ts-client"
).split(" ");

/** The one part that reads the environment, and what beside `rag/` holds to it too. */
export const READS_ENVIRONMENT = "config";
export const COMMAND_LINE =
  /^src\/(commands\/.*|cli|contents|explanation|progress|quality|terminal|views)\.ts$/;

/** The type that generation accepts, and the only definitions that may make one, by module. */
export const TOKEN = "RerankedPassages";
export const SEAL = "sealPassages";
export const REGISTER = "genuine";
export const SEALERS: Readonly<Record<string, readonly string[]>> = {
  "contracts.ts": ["sealPassages", "requireReranked"],
  "rerank/reranking.ts": ["rerank"],
};

/** Reads a line of the table: names with spaces between. */
function names(parts: string, libraries: string): Omit<Part, "form"> {
  const words = (text: string) => text.split(" ").filter((word) => word !== "");
  return { parts: words(parts), libraries: words(libraries) };
}
