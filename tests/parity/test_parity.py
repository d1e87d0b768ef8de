"""A file that one language indexed is verified, searched and updated by the other."""

import shutil
from pathlib import Path

import pytest
from services import Side

pytestmark = pytest.mark.slow

QUERIES = (
    "How much honey may I harvest?",
    "E-502",
    "Wie lange gilt die Garantie?",
    'rank_constant "quoted" \\ 蜂蜜 \U0001f41d',
    "the of and",
    "...",
)


def test_the_other_finds_the_file_sound(writer: Side, reader: Side, index: Path):
    assert reader.do(index, "verify") == writer.do(index, "verify")
    assert reader.read(index, "status") == writer.read(index, "status")


@pytest.mark.parametrize("settings", [{}, {"fusion": "rrf", "rerank": "lexical"}])
def test_the_other_finds_the_same(writer: Side, reader: Side, index: Path, settings):
    for query in QUERIES:
        mine = writer.call(index, "search", "--json", query, **settings)
        theirs = reader.call(index, "search", "--json", query, **settings)
        assert (theirs.status, theirs.printed) == (mine.status, mine.printed), query


def test_the_other_measures_the_same(writer: Side, reader: Side, index: Path):
    settings = {"rerank": "lexical"}
    assert reader.read(index, "eval", **settings) == writer.read(index, "eval", **settings)


def test_a_collection_is_indexed_and_measured_alike(
    python: Side, typescript: Side, scifact_mini: Path, tmp_path: Path
):
    found = [
        side.read(tmp_path / side.name, "eval", "--collection", scifact_mini)
        for side in (python, typescript)
    ]
    assert found[0] == found[1]


def test_an_update_by_the_other_leaves_what_one_alone_would_have_made(
    writer: Side, reader: Side, tmp_path: Path
):
    sources = Path(shutil.copytree(writer.folder / "evals" / "corpus", tmp_path / "sources"))
    index, alone = tmp_path / "index", tmp_path / "alone"
    settings = {"source_dir": sources, "language": "english"}
    writer.do(index, "index", **settings)
    first, second, third, *_ = sorted(sources.glob("*.md"))
    first.unlink()
    second.write_text(second.read_text("utf-8") + "\n\nMore of it \U0001f41d.\n", "utf-8")
    third.rename(third.with_name("renamed 蜂.md"))
    (sources / "new.md").write_text("# New\n\n" + "A sentence of the new page. " * 99, "utf-8")
    reader.do(index, "index", **settings)
    assert "the index is sound" in writer.do(index, "verify", **settings)
    assert "the index is sound" in reader.do(index, "verify", **settings)
    writer.do(alone, "index", **settings)
    updated, made = (writer.read(each, "status", **settings)["index"] for each in (index, alone))
    for differs in ("runs", "last_run"):
        del updated[differs], made[differs]
    assert updated == made
    for query in ("More of it", "sentence of the new page"):
        assert writer.read(index, "search", query, **settings) == reader.read(
            alone, "search", query, **settings
        )


def test_vectors_that_one_paid_for_are_the_other_ones_too(writer: Side, reader: Side, index: Path):
    again = reader.do(index, "index", "--rebuild")
    assert "0 texts embedded" in again


def test_an_index_of_another_embedder_is_refused_with_the_reason(
    python: Side, typescript: Side, tmp_path: Path
):
    index = tmp_path / "index"
    python.do(index, "index", embedding="wordllama")
    for verb in (["search", "honey"], ["index"]):
        refused = typescript.call(index, *verb)
        assert refused.status == 2
        assert 'embedding.provider: the index has "wordllama", the settings say "hash"' in (
            refused.told
        )
        assert "Run `index --rebuild`." in refused.told


HOLDERS = {
    "python": """
import sys
from pathlib import Path
from acme_search.rag.store import open_writer, read_manifest
path = Path(sys.argv[1])
with open_writer(path, read_manifest(path), analyze=str.split):
    print("ready", flush=True)
    sys.stdin.read()
""",
    "typescript": """
import { readManifest } from "./src/rag/store/session.ts";
import { openWriter } from "./src/rag/store/transaction.ts";
const path = process.argv.at(-1);
await openWriter(path, readManifest(path), { analyze: (text) => text.split(" ") }, async () => {
  console.log("ready");
  for await (const _ of process.stdin);
});
""",
}


def test_one_writes_at_a_time_and_the_other_is_told_who(writer: Side, reader: Side, index: Path):
    with writer.start(HOLDERS[writer.name], index / "index.sqlite") as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "ready\n"
        refused = reader.call(index, "index")
        assert reader.read(index, "status")["index"]["runs"] == 1
        holder.kill()
    assert refused.status == 2
    assert f"another run is writing the index: process {holder.pid} on " in refused.told
    reader.do(index, "index")
    assert "the index is sound" in writer.do(index, "verify")
