"""The command line: parses, calls a composition root, prints. Errors are told in `main`."""

import logging
import os
import sys
from pathlib import Path

import click

from . import views
from .progress import progress
from .rag.config import load_settings, write_settings
from .rag.contracts import ChunkId, DocumentId, Filter, Refusal
from .rag.errors import RagError

DONE, NOTHING, ERROR, GATE = 0, 1, 2, 3
"""Exit statuses: done; nothing found, or refused; error; a gate or verification failed."""

PATH = click.Path(path_type=Path)

json_option = click.option("--json", is_flag=True, help="Print one JSON document.")
under_option = click.option(
    "--under", metavar="PREFIX", help="Only documents whose id starts with this."
)
top_option = click.option(
    "--top", "-k", "top_n", type=click.IntRange(1, 1000), help="How many to show."
)
collection_option = click.option(
    "--collection",
    type=PATH,
    help="A folder with documents and judgements, in this layout or BEIR's.",
)


def main() -> None:
    """Run the command line; every error is told here, once, with its exit status."""
    try:
        app(standalone_mode=False)
        return
    except click.ClickException as error:
        error.show()
    except click.Abort:
        views.print_error("interrupted")
    except RagError as error:
        views.print_error(str(error))
    except Exception as error:
        logging.getLogger(__name__).debug("unexpected error", exc_info=True)
        views.print_error(
            f"unexpected {type(error).__name__}: {error}\n"
            "  Put --verbose before the command to see where it happened."
        )
    sys.exit(ERROR)


class _Commands(click.Group):
    def invoke(self, ctx: click.Context) -> object:
        """Run a command; what reads its output may have seen enough, as `head` does."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # What is still to be flushed at exit has to go somewhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(DONE)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--verbose", "-v", is_flag=True, help="Log every stage to standard error.")
def app(*, verbose: bool) -> None:
    """Hybrid retrieval over your documents, and answers with citations."""
    level = logging.DEBUG if verbose else logging.WARNING
    logging.basicConfig(level=level, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")


@app.command()
@click.argument("source", required=False, type=PATH)
@click.option("--rebuild", is_flag=True, help="Start over, as a changed setting may ask.")
@json_option
def index(*, source: Path | None, rebuild: bool, json: bool) -> None:
    """Bring the index up to SOURCE; only what changed is embedded.

    SOURCE is a folder or a file; without it, the setting source_dir is taken.
    """
    from .rag.indexing import IndexSummary, index_sources

    settings = load_settings()
    summary = IndexSummary()
    try:
        with progress() as show:
            root = source or Path(settings.source_dir)
            index_sources(settings, root, summary, rebuild=rebuild, progress=show)
    except BaseException as error:
        if summary.seen or not isinstance(error, RagError):
            views.print_interrupted(summary)
        raise
    views.print_index(summary, json=json)


@app.command()
@click.argument("query")
@top_option
@under_option
@click.option("--explain", is_flag=True, help="Show ranks and scores by leg, and terms.")
@json_option
def search(*, query: str, top_n: int | None, under: str | None, explain: bool, json: bool) -> None:
    """Find the passages nearest to QUERY."""
    from . import explanation
    from .rag.retrieval import open_retrieval

    with open_retrieval(load_settings()) as retrieval:
        found = retrieval.search(query, where=Filter(under) if under else None, top_n=top_n)
        explained = explanation.explain(retrieval, found) if explain else None
    views.print_search(found, explained, json=json)
    if explained and not json:
        explanation.print_explanation(found, explained)
    sys.exit(DONE if found.passages else NOTHING)


@app.command()
@click.argument("question")
@under_option
@json_option
def ask(*, question: str, under: str | None, json: bool) -> None:
    """Answer QUESTION with citations, or refuse."""
    from .rag import pipeline

    where = Filter(under) if under else None
    reply, passages = pipeline.ask(load_settings(), question, where=where)
    views.print_reply(reply, passages, json=json)
    sys.exit(NOTHING if isinstance(reply, Refusal) else DONE)


@app.command("eval")
@collection_option
@click.option("--baseline", type=PATH, help="Compare with a saved run; a clear loss is status 3.")
@click.option("--save-baseline", type=PATH, help="Save this run, to compare later ones with.")
@json_option
def evaluate(
    *, collection: Path | None, baseline: Path | None, save_baseline: Path | None, json: bool
) -> None:
    """Score retrieval on the golden queries, with no model in the loop."""
    from . import quality
    from .rag import evaluation

    settings = load_settings()
    with progress() as show, evaluation.open_judged(settings, collection, show) as judged:
        report = evaluation.evaluate(
            judged.retrieval, judged.golden, judged.documents, index=judged.index, progress=show
        )
    comparison = evaluation.compare_baseline(report, baseline) if baseline else None
    if save_baseline:
        evaluation.save_baseline(save_baseline, report)
    quality.print_report(report, comparison, json=json)
    failures = quality.failed_gates(report, comparison, settings.min_ndcg)
    for failure in failures:
        views.print_error(failure)
    sys.exit(GATE if failures else DONE)


@app.command()
@collection_option
@click.option("--write", is_flag=True, help="Write what is recommended into .env.")
@json_option
def tune(*, collection: Path | None, write: bool, json: bool) -> None:
    """Find fusion settings on half of the judged queries, and score them on the other half."""
    from . import quality
    from .rag import evaluation

    with progress() as show, evaluation.open_judged(load_settings(), collection, show) as judged:
        tuning = evaluation.tune(judged.retrieval, judged.golden.judged, progress=show)
    if write and tuning.recommended:
        write_settings(tuning.settings(), Path(".env"))
    quality.print_tuning(tuning, json=json, written=write)
    sys.exit(DONE if tuning.recommended else NOTHING)


@app.group()
def inspect() -> None:
    """Look at what the index holds."""


@inspect.command("chunk")
@click.argument("chunk_id")
@json_option
def inspect_chunk(*, chunk_id: str, json: bool) -> None:
    """Show a chunk with its span, its lines and its headings."""
    from . import contents
    from .rag.wiring import open_index

    with open_index(load_settings()) as store:
        chunk = store.chunk(ChunkId(chunk_id))
        document = store.document(chunk.document_id)
    contents.print_chunk(chunk, document, json=json)


@inspect.command("document")
@click.argument("document_id")
@json_option
def inspect_document(*, document_id: str, json: bool) -> None:
    """Show a document with its chunks; its id is its path below the source."""
    from . import contents
    from .rag.wiring import open_index

    with open_index(load_settings()) as store:
        document = store.document(DocumentId(document_id))
        chunks = store.chunks(document.id)
    contents.print_document(document, chunks, json=json)


@inspect.command("neighbours")
@click.argument("chunk_id")
@top_option
@json_option
def inspect_neighbours(*, chunk_id: str, top_n: int | None, json: bool) -> None:
    """Show the chunks whose vectors are nearest to a chunk's, with their similarities."""
    from . import contents
    from .rag.wiring import open_index

    with open_index(load_settings()) as store:
        hits = store.neighbours(ChunkId(chunk_id), top_n or 8)
        chunks = store.load_chunks([hit.chunk_id for hit in hits])
    contents.print_neighbours(hits, chunks, json=json)


@app.command()
@json_option
def status(*, json: bool) -> None:
    """Tell what the index holds and which sources have changed since; embeds nothing."""
    from . import contents
    from .rag.changes import drift
    from .rag.wiring import open_index

    settings = load_settings()
    with open_index(settings) as store:
        stats, documents = store.stats(), store.documents()
    indexed = {id: source_digest for id, (source_digest, _) in documents.items()}
    contents.print_status(stats, drift(settings, Path(settings.source_dir), indexed), json=json)


@app.command()
@json_option
def verify(*, json: bool) -> None:
    """Recount both indexes from the chunks; a finding is status 3."""
    from . import contents
    from .rag.wiring import find_faults

    with progress() as show:
        findings = find_faults(load_settings(), lambda done, total: show("recount", done, total))
    contents.print_findings(findings, json=json)
    sys.exit(GATE if findings else DONE)


@app.command()
@json_option
def config(*, json: bool) -> None:
    """Show every setting: its value, its variable, and what it is for."""
    from . import contents

    contents.print_settings(load_settings(), json=json)
