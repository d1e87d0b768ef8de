"""Every benchmark, one after the other, as one page of Markdown.

    make bench                      all of it; hours, since peers and 300,000 chunks take long
    make bench BENCH="--quick"      the same tables from small runs, in some minutes
    make bench BENCH="--only ingest quality"

Quality needs judged collections in BEIR's layout, named by RAGSEAM_IR_TESTDATA. A benchmark that
fails is named at the end, and the exit status is 1 then.
"""

import argparse
import subprocess
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """One benchmark: its module, and the options of a whole and of a quick run."""

    title: str
    module: str
    whole: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()


SECTIONS = {
    "quality": Section(
        "Quality", "benchmarks.quality", ("--minilm",), ("--collections", "scifact_mini")
    ),
    "short": Section(
        "Short queries", "benchmarks.short_queries", (), ("--collections", "scifact_mini")
    ),
    "ingest": Section("Ingest", "benchmarks.ingest", (), ("--megabytes", "2")),
    "store": Section("Store", "benchmarks.store", (), ("--sizes", "10000")),
    "commands": Section("Commands", "benchmarks.store.commands", (), ("--sizes", "10000")),
    "endurance": Section(
        "Nothing lost", "benchmarks.endurance", (), ("--minutes", "0.2", "--kills", "7")
    ),
}


def main() -> None:
    """Print a section for each benchmark."""
    parser = argparse.ArgumentParser(
        prog="benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="small runs")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS))
    given = parser.parse_args()
    failed: list[str] = []
    print("# Benchmarks")
    for name in given.only:
        section = SECTIONS[name]
        print(f"\n## {section.title}\n", flush=True)
        options = section.quick if given.quick else section.whole
        done = subprocess.run([sys.executable, "-m", section.module, *options], check=False)
        if done.returncode:
            failed.append(name)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}; what went wrong stands above")


if __name__ == "__main__":
    main()
