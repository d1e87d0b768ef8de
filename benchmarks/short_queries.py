"""Does fusion hold for short questions? nDCG@10 with each query cut to its rarest words.

Few chunks match a word or two, and fusion must not let those fall behind what the dense leg
returned. Prints Markdown, for the default setup of a rendered service.

    python -m benchmarks.short_queries [--testdata DIR] [--collections scifact_mini ...]
"""

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from .quality import NDCG, Service, parse_collections, scores
from .rendered import machine, render
from .setups import Setup

COLLECTIONS = ("scifact", "scifact_mini", "clapnq")
WORDS = (1, 2, 3)
ROWS = ("dense-only", "keyword-only", "fused-convex")
PLAIN = Setup("plain", {"rerank": "none"}, {})


def cut(collection: Path, words: int, folder: Path) -> None:
    """Lay out a collection in `folder` whose queries keep their rarest `words`, in order."""
    folder.mkdir(parents=True)
    for path in collection.iterdir():
        if path.name != "queries.jsonl":
            (folder / path.name).symlink_to(path)
    held: Counter[str] = Counter()
    for line in (collection / "corpus.jsonl").open(encoding="utf-8"):
        document = json.loads(line)
        held.update(set(_words(f"{document.get('title', '')} {document['text']}")))
    with (folder / "queries.jsonl").open("w", encoding="utf-8") as file:
        for line in (collection / "queries.jsonl").open(encoding="utf-8"):
            query = json.loads(line)
            known = [word for word in dict.fromkeys(_words(query["text"])) if held[word]]
            rarest = sorted(known, key=lambda word: held[word])[:words]
            query["text"] = " ".join(word for word in known if word in rarest) or query["text"]
            file.write(json.dumps(query) + "\n")


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    given = parse_collections(parser, COLLECTIONS, arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        service = Service(render(folder / "service").folder.resolve(), folder)
        print(f"{machine()}; {NDCG}.\n\n| words | {' | '.join(given.collections)} |")
        print("|---" * (len(given.collections) + 1) + "|")
        for words in WORDS:
            found: list[dict[str, float]] = []
            for collection in given.collections:
                cut(given.testdata.resolve() / collection, words, folder / f"{words}" / collection)
                found.append(scores(service.measure("eval", f"{words}/{collection}", PLAIN)))
            for row in ROWS:
                figures = " | ".join(f"{each[row]:.3f}" for each in found)
                print(f"| {words}: {row} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
