/** `inspect`, `status`, `verify` and `config`; what each needs is loaded when it is run. */

import type { Command } from "commander";
import { startProgress } from "../progress.ts";
import { loadSettings } from "../rag/config.ts";
import type { ChunkId, DocumentId } from "../rag/contracts.ts";
import type { SqliteStore } from "../rag/store/reader.ts";
import { jsonOption, topOption } from "./options.ts";
import { DONE, GATE, type Session } from "./session.ts";

type Json = { readonly json: boolean };

export function addInspecting(app: Command, session: Session): void {
  addInspect(app);
  addStatus(app);
  addVerify(app, session);
  app
    .command("config")
    .description("Show every setting: its value, its variable, and what it is for.")
    .addOption(jsonOption())
    .action(async ({ json }: Json) => {
      const { printSettings } = await import("../contents.ts");
      printSettings(loadSettings(), json);
    });
}

function addInspect(app: Command): void {
  const inspect = app
    .command("inspect")
    .description("Look at what the index holds.")
    .helpCommand(false);
  inspect
    .command("chunk")
    .description("Show a chunk with its span, its lines and its headings.")
    .argument("<CHUNK_ID>")
    .addOption(jsonOption())
    .action(async (id: string, { json }: Json) => {
      const { printChunk } = await import("../contents.ts");
      await withIndex((store) => {
        const chunk = store.chunk(id as ChunkId);
        printChunk(chunk, store.document(chunk.documentId), json);
      });
    });
  inspect
    .command("document")
    .description("Show a document with its chunks; its id is its path below the source.")
    .argument("<DOCUMENT_ID>")
    .addOption(jsonOption())
    .action(async (id: string, { json }: Json) => {
      const { printDocument } = await import("../contents.ts");
      await withIndex((store) => {
        const document = store.document(id as DocumentId);
        printDocument(document, store.chunks(document.id), json);
      });
    });
  inspect
    .command("neighbours")
    .description("Show the chunks whose vectors are nearest to a chunk's, with their similarities.")
    .argument("<CHUNK_ID>")
    .addOption(topOption())
    .addOption(jsonOption())
    .action(async (id: string, { top = 8, json }: Json & { readonly top?: number }) => {
      const { printNeighbours } = await import("../contents.ts");
      await withIndex((store) => {
        const hits = store.neighbours(id as ChunkId, top);
        printNeighbours(hits, store.loadChunks(hits.map((hit) => hit.chunkId)), json);
      });
    });
}

function addStatus(app: Command): void {
  app
    .command("status")
    .description("Tell what the index holds and which sources have changed since; embeds nothing.")
    .addOption(jsonOption())
    .action(async ({ json }: Json) => {
      const { printStatus } = await import("../contents.ts");
      const { drift } = await import("../rag/changes.ts");
      const settings = loadSettings();
      const { stats, documents } = await withIndex((store) => ({
        stats: store.stats(),
        documents: store.documents(),
      }));
      const indexed = new Map([...documents].map(([id, { sourceDigest }]) => [id, sourceDigest]));
      printStatus(stats, await drift(settings, settings.sourceDir, indexed), json);
    });
}

function addVerify(app: Command, session: Session): void {
  app
    .command("verify")
    .description("Recount both indexes from the chunks; a finding is status 3.")
    .addOption(jsonOption())
    .action(async ({ json }: Json) => {
      const { printFindings } = await import("../contents.ts");
      const { findFaults } = await import("../rag/wiring.ts");
      const progress = startProgress();
      session.interrupted = progress.stop;
      const show = (done: number, total: number) => progress.show("recount", done, total);
      const findings = await findFaults(loadSettings(), show).finally(progress.stop);
      printFindings(findings, json);
      session.status = findings.length > 0 ? GATE : DONE;
    });
}

async function withIndex<T>(use: (store: SqliteStore) => T): Promise<T> {
  const { openIndex } = await import("../rag/wiring.ts");
  const store = await openIndex(loadSettings());
  try {
    return use(store);
  } finally {
    store.close();
  }
}
