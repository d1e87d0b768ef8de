"""What a document is called."""

import re
from pathlib import PurePosixPath

LONGEST = 200
SEARCHED = 20_000  # code points at the start of a text
_FRONT_MATTER = re.compile(r"(---|\+\+\+)[ \t]*\n((?:.*\n)*?)(?:\1|\.\.\.)[ \t]*(?:\n|\Z)")
_FRONT_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*(.+)$", re.MULTILINE)
_RST_TITLE = re.compile(
    r"^(?:([!-/:-@\[-`{-~])\1++[ \t]*\n)?[ \t]*+(\S.*)\n([!-/:-@\[-`{-~])\3++[ \t]*$", re.MULTILINE
)


def title_of(text: str, kind: str, name: str) -> str:
    """The first heading of the first level, else a title in front matter, else the name's stem."""
    start = text[:SEARCHED]
    if kind in ("markdown", "html"):
        found = _markdown_heading(start) or _front_title(start)
    elif kind == "rst":
        found = _rst_title(start)
    else:
        found = ""
    return " ".join(found.split())[:LONGEST] or PurePosixPath(name).stem


def _markdown_heading(text: str) -> str:
    import pyromark

    parts: list[str] | None = None
    depth = 0
    for event in pyromark.events(text, options=pyromark.Options.ENABLE_TABLES):
        match event:
            case {"Start": {"Heading": {"level": "H1"}}} if not depth:
                parts = []
            case {"End": {"Heading": "H1"}} if parts is not None:
                if title := "".join(parts).strip():
                    return title
                parts = None
            case {"Start": "Item"} | {"Start": {"BlockQuote": _}}:
                depth += 1
            case {"End": "Item"} | {"End": {"BlockQuote": _}}:
                depth -= 1
            case {"Text": str(part)} | {"Code": str(part)} if parts is not None:
                parts.append(part)
            case _:
                pass
    return ""


def _front_title(text: str) -> str:
    front = _FRONT_MATTER.match(text)
    found = _FRONT_TITLE.search(front[2]) if front else None
    return found[1].strip().strip("\"'") if found else ""


def _rst_title(text: str) -> str:
    for found in _RST_TITLE.finditer(text):
        title, rule = found[2].strip(), found[0].rsplit("\n", 1)[1].rstrip()
        if len(rule) >= min(len(title), 4) and any(map(str.isalnum, title)):
            return title
    return ""
