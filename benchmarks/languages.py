"""Does analysing a corpus in its own language help? Known-item search over manual pages.

Each page is searched by its own one-line description, which is removed from the page. Pages
come from Debian's packages manpages-de, manpages-fr and manpages-es; languages whose pages are
not installed are left out, and said to be.

    uv run --group bench python -m benchmarks.languages [--man /usr/share/man]
"""

import argparse
import gzip
import importlib
import re
import sys
import tempfile
from collections.abc import Callable
from math import log2
from pathlib import Path

import bm25s
from copier import run_copy

TEMPLATE = Path(__file__).parents[1]
LANGUAGES = {"de": "german", "fr": "french", "es": "spanish"}
NAME_SECTION = re.compile(r"^\.SH (?:BEZEICHNUNG|NAME|NOM|NOMBRE)\s*\n(.*?)^\.SH", re.S | re.M)
PAGE_CHARS = 4000


def plain(roff: str) -> str:
    """Manual page source without its commands and escapes."""
    text = re.sub(r'^\.\\".*$|^\.\w+ ?', "", roff, flags=re.M)
    return re.sub(r"\\f.|\\[&,/]|\\\(..", "", text).replace("\\-", "-")


def load_pages(folder: Path) -> tuple[list[str], list[str]]:
    """Texts of pages, and the description that each is searched by."""
    texts: list[str] = []
    queries: list[str] = []
    for path in sorted(folder.glob("man*/*.gz")):
        roff = gzip.open(path, "rt", errors="ignore").read()
        if not (found := NAME_SECTION.search(roff)):
            continue
        query = plain(found.group(1)).replace("\n", " ").split(" - ", 1)[-1].strip()
        text = plain(roff[found.end() :])
        if len(query) > 15 and len(text) > 300:
            texts.append(text[:PAGE_CHARS])
            queries.append(query)
    return texts, queries


def known_item_ndcg(
    texts: list[str], queries: list[str], terms: Callable[[str], list[str]]
) -> float:
    """nDCG@10 where the only relevant page of query i is page i."""
    index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    index.index([terms(text) for text in texts], show_progress=False)
    found, _ = index.retrieve([terms(query) for query in queries], k=10, show_progress=False)
    ranks = [row.index(page) + 1 for page, row in enumerate(found.tolist()) if page in row]
    return sum(1 / log2(rank + 1) for rank in ranks) / len(queries)


def main() -> None:
    """Render a service, and print one row a language."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--man", type=Path, default=Path("/usr/share/man"))
    man = arguments.parse_args().man
    with tempfile.TemporaryDirectory() as folder:
        run_copy(str(TEMPLATE), folder, defaults=True, quiet=True, vcs_ref="HEAD")
        sys.path.insert(0, f"{folder}/src")
        analysis = importlib.import_module("acme_search.rag.analysis")
        print("| pages | detected | none | English | own language |\n|---|---|---|---|---|")
        for code, language in LANGUAGES.items():
            texts, queries = load_pages(man / code)
            if not texts:
                print(f"{language}: left out, no pages in {man / code}", file=sys.stderr)
                continue
            detected = analysis.detect_language(texts[:: max(1, len(texts) // 200)])
            scores = [
                known_item_ndcg(texts, queries, analysis.Analyzer(name).terms)
                for name in ("none", "english", language)
            ]
            cells = " | ".join(f"{score:.3f}" for score in scores)
            print(f"| {len(texts)} {language} | {detected} | {cells} |")


if __name__ == "__main__":
    main()
