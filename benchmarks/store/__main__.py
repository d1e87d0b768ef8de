"""How fast is the store? Builds, sizes and query times beside its peers, as Markdown.

    python -m benchmarks.store [--sizes 10000 100000 300000] [--engines NAME ...]
        [--chroma-most 100000] [--page FILE] [--node]

Builds the corpus that it needs from text on this machine. All engines are built first, each in a
process of its own, then asked in turns, so that whatever else the machine does hits all alike.
"""

import argparse
import shutil
import sys
from pathlib import Path

from copier import run_copy

from . import corpus, node, report
from .engines import CHROMA, ENGINES
from .judging import judge, remarks
from .turns import QUERIES, ROOT, Rows, measure


def main() -> None:
    """Measure, print, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 300_000])
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=list(ENGINES))
    parser.add_argument(
        "--chroma-most", type=int, default=100_000, help="most chunks that Chroma is built with"
    )
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "bench")
    parser.add_argument("--page", type=Path, help="Markdown page whose section is replaced")
    parser.add_argument("--node", action="store_true", help="measure in Node too, by `node`")
    chosen = parser.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    render(chosen.work / "service")
    sys.path.insert(0, str(chosen.work / "service" / "src"))
    text = chosen.work / f"corpus-{max(chosen.sizes)}.jsonl"
    if not text.exists():
        corpus.write_corpus(text, max(chosen.sizes))
    everyone = list(chosen.engines)
    if chosen.node:
        everyone += node.ENGINES
        node.prepare(chosen.work.absolute(), text.absolute(), chosen.sizes, QUERIES)
    results: dict[int, Rows] = {}
    notes: dict[int, list[str]] = {}
    for chunks in chosen.sizes:
        left_out = {CHROMA} & set(everyone) if chunks > chosen.chroma_most else set()
        engines = [name for name in everyone if name not in left_out]
        results[chunks] = measure(chosen.work, text, chunks, engines)
        judge(text, chunks, results[chunks])
        notes[chunks] = remarks(text, chunks, results[chunks])
        notes[chunks] += [f"{name} was left out: it takes too long to build." for name in left_out]
        if chosen.page:
            report.replace_section(chosen.page, report.section(results, notes), "store")
    print(report.section(results, notes))


def render(service: Path) -> None:
    """Render the service whose store is measured."""
    shutil.rmtree(service, ignore_errors=True)
    template = service.with_name("template")
    shutil.rmtree(template, ignore_errors=True)
    shutil.copytree(ROOT / "templates", template / "templates")
    shutil.copy(ROOT / "copier.yml", template)
    run_copy(str(template), service, data={"project_name": "benched"}, defaults=True, quiet=True)


if __name__ == "__main__":
    main()
