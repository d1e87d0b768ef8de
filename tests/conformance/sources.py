"""Folders as sources: which files are found, in which order, and why others are left out."""

import tempfile
from pathlib import Path

from acme_search.rag.ingest import Skipped, Source, scan_sources

RULES = r"""
*.log
!keep.log
build/
/root.txt
a/**
!a/b/
**/tmp/
doc?.md
[abc].txt
[[:digit:]].txt
[!x].csv
\#x
# comment
foo/bar
trail
*.tm[p]
!/sp ace/in.log
x/a/
Case.md
**/deep/file.md
lone/**/end.md
/
!
"""
TREES: list[dict[str, str]] = [
    {
        ".git/HEAD": "",
        ".git/info/exclude": "excluded.md\n",
        ".gitignore": RULES,
        "x/.gitignore": "!a/\nq*\n!qk\n",
        **dict.fromkeys(
            (
                *("a/1.md", "a/b/2.md", "a/b/c/3.md", "x/a/k.md", "x/a/b/k.md", "x/q1", "x/qk"),
                *("k.log", "keep.log", "root.txt", "src/root.txt", "src/build/o.md", "src/x.log"),
                *("a.txt", "d.txt", "5.txt", "55.txt", "#x", "doc1.md", "doc12.md", "x.csv"),
                *("y.csv", "sp ace/in.log", "sp ace/out.log", "sp ace/ok.md", "foo.tmp", "trail"),
                *("foo/bar/1", "foo/baz/2", "tmp/z/1", "a/tmp/1", "case.md", ".env"),
                *("p/deep/file.md", "lone/end.md", "lone/1/2/end.md", "excluded.md"),
                *("node_modules/p/a.md", "venv/a.md", "env/pyvenv.cfg", "env/a.md", ".hid/a.md"),
                *("sub/.git/HEAD", "sub/k.log", "Ä.md", "😀.md", "\uffee.md"),
            ),
            "x",
        ),
    },
    {".gitignore": "*\n!*.md\n!keep/\n", "a.md": "", "a.txt": "", "keep/b.md": "", "no/c.md": ""},
    {"large.md": "12345678901", "small.md": "1234567890", "b/a": "", "b.md": "", "b-c": ""},
]
MOST_BYTES = 10


def vectors() -> dict[str, object]:
    return {"trees": [_scanned(tree) for tree in TREES]}


def _scanned(tree: dict[str, str]) -> dict[str, object]:
    most = MOST_BYTES if "large.md" in tree else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        for name, text in tree.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        found = [_told(item) for item in scan_sources(Path(folder), max_file_bytes=most)]
    return {"files": tree, "mostBytes": most, "found": found}


def _told(item: Source | Skipped) -> list[str]:
    """Id and digest, or what is skipped, with the reason and the detail."""
    if isinstance(item, Skipped):
        return [item.source, item.reason, item.detail]
    return [item.id, item.digest]
