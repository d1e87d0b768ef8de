import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { drift } from "../../src/rag/changes.ts";
import { DEFAULTS, type Settings } from "../../src/rag/config.ts";
import { IngestError } from "../../src/rag/errors.ts";
import {
  type IndexOptions,
  type IndexSummary,
  indexSources,
  newSummary,
} from "../../src/rag/indexing.ts";
import { openRetrieval, type Retrieval } from "../../src/rag/retrieval.ts";

let root: string;
let corpus: string;
let settings: Settings;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "indexing-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  corpus = join(root, "corpus");
  mkdirSync(corpus);
  settings = {
    ...DEFAULTS,
    indexDir: join(root, "index"),
    embedding: "hash",
    rerank: "none",
    language: "english",
    chunkChars: 1000,
    chunkOverlapChars: 0,
    denseWeight: 0.3,
    candidateK: 50,
    rerankTopN: 8,
  };
  file("pump.md", "# Pump\n\nThe pump moves water through the valve.\n");
  file("boiler.md", "# Boiler\n\nThe boiler heats the water.\n");
  file("empty.md", "\n\n");
});

function file(name: string, text: string): void {
  writeFileSync(join(corpus, name), text);
}

async function index(chosen = settings, options: IndexOptions = {}): Promise<IndexSummary> {
  const summary = newSummary();
  await indexSources(chosen, corpus, summary, options);
  return summary;
}

async function opened<T>(
  use: (retrieval: Retrieval) => Promise<T> | T,
  chosen = settings,
): Promise<T> {
  const retrieval = await openRetrieval(chosen);
  try {
    return await use(retrieval);
  } finally {
    retrieval.close();
  }
}

function found(query: string, chosen = settings): Promise<string[]> {
  return opened(async (retrieval) => {
    const { passages } = await retrieval.search(query);
    return passages.map(({ chunk }) => chunk.documentId);
  }, chosen);
}

function counts({ indexed, unchanged, removed, skipped }: IndexSummary): number[] {
  return [indexed, unchanged, removed, [...skipped.values()].reduce((sum, each) => sum + each, 0)];
}

test("every source is accounted for", async () => {
  const summary = await index();
  expect(counts(summary)).toEqual([2, 0, 0, 1]);
  expect(summary.seen).toBe(3);
  expect(summary.skipped).toEqual(new Map([["empty", 1]]));
  expect([summary.chunks, summary.embedded]).toEqual([2, 2]);
});

test("a second run embeds nothing", async () => {
  await index();
  const again = await index();
  expect([counts(again), again.embedded]).toEqual([[0, 2, 0, 1], 0]);
});

test("a change costs the changed document alone", async () => {
  await index();
  file("pump.md", "# Pump\n\nThe pump has a membrane now.\n");
  const summary = await index();
  expect([counts(summary), summary.embedded]).toEqual([[1, 1, 0, 1], 1]);
  expect((await found("membrane"))[0]).toBe("pump.md");
});

test("other line ends cost no embedding", async () => {
  await index();
  file("pump.md", readFileSync(join(corpus, "pump.md"), "utf8").replaceAll("\n", "\r\n"));
  const again = await index();
  expect([counts(again), again.embedded]).toEqual([[1, 1, 0, 1], 0]);
  expect(counts(await index())).toEqual([0, 2, 0, 1]);
});

test("a title that is not in the text is indexed when it changes", async () => {
  file("page.html", "<title>Membrane</title><p>It has to be replaced every year.</p>");
  await index();
  file("page.html", "<title>Impeller</title><p>It has to be replaced every year.</p>");
  expect((await index()).indexed).toBe(1);
  expect((await found("impeller"))[0]).toBe("page.html");
});

test("a deleted document is found no more", async () => {
  await index();
  rmSync(join(corpus, "pump.md"));
  expect(counts(await index())).toEqual([0, 1, 1, 1]);
  expect(await found("pump valve")).not.toContain("pump.md");
});

test("a renamed document is found under its new name, and costs no embedding", async () => {
  await index();
  renameSync(join(corpus, "pump.md"), join(corpus, "valve.md"));
  const summary = await index();
  expect([counts(summary), summary.embedded]).toEqual([[1, 1, 1, 1], 0]);
  expect(await found("pump valve")).not.toContain("pump.md");
});

test("an emptied source does not empty the index", async () => {
  await index();
  for (const name of readdirSync(corpus)) rmSync(join(corpus, name));
  await expect(index()).rejects.toThrow(IngestError);
  await expect(index()).rejects.toThrow("the index holds 2");
  expect(await found("boiler")).not.toEqual([]);
});

test("another chunk size needs a rebuild", async () => {
  await index();
  const other = { ...settings, chunkChars: 500 };
  await expect(index(other)).rejects.toThrow("chunk_chars");
  await expect(found("pump", other)).rejects.toThrow("index --rebuild");
  expect(counts(await index(other, { rebuild: true }))).toEqual([2, 0, 0, 1]);
  expect((await found("pump", other))[0]).toBe("pump.md");
});

test("another query prefix is refused with both values", async () => {
  await index();
  const other = { ...settings, embeddingQueryPrefix: "query: " };
  const said =
    'embedding.query_prefix: the index has "", the settings say "query: "' +
    "\n  Run `index --rebuild`.";
  await expect(found("pump", other)).rejects.toThrow(said);
  await expect(index(other)).rejects.toThrow(said);
});

test("drift tells what an index run would do", async () => {
  await index();
  const documents = await opened(({ store }) => store.documents());
  const indexed = new Map([...documents].map(([id, { sourceDigest }]) => [id, sourceDigest]));
  file("pump.md", "changed");
  rmSync(join(corpus, "boiler.md"));
  file("new.md", "new");
  const changes = await drift(settings, corpus, indexed);
  expect(changes).toEqual({ new: ["new.md"], changed: ["pump.md"], deleted: ["boiler.md"] });
});

test("the language is detected once and kept", async () => {
  for (const name of readdirSync(corpus)) rmSync(join(corpus, name));
  file("haus.md", "Die Häuser stehen in der Straße, und sie sind nicht alt.\n");
  const automatic = { ...settings, language: "auto" };
  await index(automatic);
  file("english.md", "The houses are in the street and they are not old. ".repeat(9));
  await index(automatic);
  expect(await opened(({ analyzer }) => analyzer.language, automatic)).toBe("german");
});

test("progress tells the stages in their order", async () => {
  const stages: string[] = [];
  await index(settings, { progress: (stage) => void stages.push(stage) });
  expect([...new Set(stages)]).toEqual(["scan", "index", "commit"]);
});

describe("a search", () => {
  test("says where each leg placed a passage, and how near it is", async () => {
    await index();
    await opened(async (retrieval) => {
      const { passages, status } = await retrieval.search("pump valve");
      const [first] = passages;
      expect(status).toBe("none");
      expect(first?.placings).toMatchObject({
        dense: { rank: 1 },
        keyword: { rank: 1 },
        fused: { rank: 1, score: first?.score },
      });
      expect(first?.similarity).toBe(first?.placings.dense?.score);
      expect(retrieval.matchedTerms("valve the pumps", first?.chunk as never)).toEqual([
        "valv",
        "pump",
      ]);
    });
  });

  test("without a word has no hits, and embeds nothing", async () => {
    await index();
    expect(await found("?! ...")).toEqual([]);
  });

  test("keeps to the documents that are asked for", async () => {
    await index();
    await opened(async (retrieval) => {
      const { passages } = await retrieval.search("water", { where: { prefix: "boil" } });
      expect(passages.map(({ chunk }) => chunk.documentId)).toEqual(["boiler.md"]);
    });
  });

  test.each([
    [0, "keyword"],
    [1, "dense"],
  ] as const)("with dense weight %d asks the %s leg alone", async (denseWeight, leg) => {
    await index();
    await opened(
      async (retrieval) => {
        const { passages } = await retrieval.search("boiler");
        expect(Object.keys(passages[0]?.placings ?? {}).sort()).toEqual([leg, "fused"].sort());
        expect(passages[0]?.similarity === null).toBe(leg === "keyword");
      },
      { ...settings, denseWeight },
    );
  });

  test("of two at once is answered from one state each, and none is held on", async () => {
    await index();
    await opened(async (retrieval) => {
      await Promise.all(["pump", "boiler", "water"].map((query) => retrieval.search(query)));
      file("new.md", "A membrane.");
      await index();
      const { passages } = await retrieval.search("membrane");
      expect(passages[0]?.chunk.documentId).toBe("new.md");
    });
  });
});
