"""The command line: parses, calls one composition root, prints. Errors are told in `main`."""

import logging
import sys
from pathlib import Path
from typing import Annotated

import typer

from . import views
from .progress import progress
from .rag.config import load_settings
from .rag.contracts import Filter, Refusal
from .rag.errors import RagError

DONE, NOTHING, ERROR, GATE = 0, 1, 2, 3
"""Exit statuses: done; nothing found or refused; error; a gate or verification failed."""

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
Under = Annotated[
    str, typer.Option(metavar="PREFIX", help="Only documents whose id starts with this.")
]

app = typer.Typer(
    help="Hybrid retrieval over your documents, and answers with citations.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
inspect = typer.Typer(help="Look at what the index holds.", no_args_is_help=True)
app.add_typer(inspect, name="inspect")


def main() -> None:
    """Run the command line; every error is told here, once, with its exit status."""
    try:
        app()
    except RagError as error:
        views.print_error(str(error))
        sys.exit(ERROR)
    except Exception as error:
        logging.getLogger("rag").debug("unexpected error", exc_info=True)
        views.print_error(
            f"unexpected {type(error).__name__}: {error}\n  Run again with --verbose before the command to see where."
        )
        sys.exit(ERROR)


@app.callback()
def configure(
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Log every stage to standard error.")
    ] = False,
) -> None:
    """Set up logging before a command runs."""
    level = logging.DEBUG if verbose else logging.WARNING
    logging.basicConfig(level=level, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")


@app.command()
def index(
    source: Annotated[
        Path | None, typer.Argument(help="Folder or file to index [default: source_dir]")
    ] = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Start over, as a changed setting may ask.")
    ] = False,
    json: Json = False,
) -> None:
    """Bring the index up to its sources: only what changed is embedded again."""
    from .rag.indexing import IndexSummary, index_sources

    settings = load_settings()
    summary, root = IndexSummary(), source or Path(settings.source_dir)
    try:
        with progress() as show:
            index_sources(settings, root, summary, rebuild=rebuild, progress=show)
    except (RagError, KeyboardInterrupt):
        views.print_interrupted(summary)
        raise
    views.print_index(summary, json=json)


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    top_n: Annotated[
        int,
        typer.Option(
            "--top", "-k", min=1, max=1000, help="Passages to show [default: rerank_top_n]"
        ),
    ] = 0,
    under: Under = "",
    explain: Annotated[
        bool, typer.Option("--explain", help="Show rank and score in each leg, and the terms.")
    ] = False,
    json: Json = False,
) -> None:
    """Find the passages nearest to a query."""
    from .rag.retrieval import open_retrieval

    settings = load_settings()
    with open_retrieval(settings) as retrieval:
        passages = retrieval.search(
            query, where=Filter(under) if under else None, top_n=top_n or None
        )
        terms = [retrieval.matched_terms(query, found.chunk) for found in passages.passages]
    views.print_search(passages, terms, explain=explain, json=json)
    raise typer.Exit(DONE if passages.passages else NOTHING)


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="A question that the documents may answer.")],
    under: Under = "",
    json: Json = False,
) -> None:
    """Answer a question with citations, or refuse."""
    from .rag.pipeline import ask as ask_pipeline

    reply, passages = ask_pipeline(
        load_settings(), question, where=Filter(under) if under else None
    )
    views.print_reply(reply, passages, json=json)
    raise typer.Exit(NOTHING if isinstance(reply, Refusal) else DONE)


@app.command()
def config(json: Json = False) -> None:
    """Show every setting: its value, its variable, and what it is for."""
    views.print_settings(load_settings(), json=json)
