"""The title of a document: its first top heading, as its format writes one."""

import re

FRONT_MATTER = re.compile(
    r"(---|\+\+\+)[ \t]*\n[\w\"'.-]+[ \t]*[:=].*\n(?:.*\n)*?(?:\1|\.\.\.)[ \t]*(?:\n|\Z)"
)
FRONT_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*(.*\S)", re.MULTILINE)
TOP_HEADING = re.compile(r"^ {0,3}(?:#(?:[ \t].*)?|=+[ \t]*)$", re.MULTILINE)
RST_TITLE = re.compile(
    r"^(?:(?P<over>([!-/:-@\[-`{-~])\2+)[ \t]*\n[ \t]*)?"
    r"(?P<title>[^\s.].*?)[ \t]*\n(?P<under>([!-/:-@\[-`{-~])\5+)[ \t]*$",
    re.MULTILINE,
)
HEAD_CHARS = 8192
LONGEST_TITLE = 300


def markdown_title(text: str) -> str:
    """The first heading of level 1, else the title in the front matter; or empty."""
    front = FRONT_MATTER.match(text)
    start = front.end() if front else 0
    title = ""
    if TOP_HEADING.search(text, start):
        cut = text.find("\n", start + HEAD_CHARS)
        title = _first_heading(text[start : cut if cut > 0 else len(text)])
        if not title and cut > 0:
            title = _first_heading(text[start:])
    stated = FRONT_TITLE.search(front[0]) if front else None
    return shorten(title) or (shorten(_unquote(stated[1])) if stated else "")


def rst_title(text: str) -> str:
    """The first section title that is as long as its rule; or empty."""
    for found in RST_TITLE.finditer(text):
        title, over, under = found["title"], found["over"], found["under"]
        if len(under) >= len(title) and over in (None, under):
            return shorten(title)
    return ""


def shorten(title: str) -> str:
    """One line of at most `LONGEST_TITLE` characters."""
    return " ".join(title.split())[:LONGEST_TITLE].rstrip()


def _first_heading(text: str) -> str:
    import pyromark

    parts: list[str] | None = None
    inside = 0
    for event in pyromark.events(text, options=pyromark.Options.ENABLE_TABLES):
        match event:
            case {"Start": "Item"} | {"Start": {"BlockQuote": _}}:
                inside += 1
            case {"End": "Item"} | {"End": {"BlockQuote": _}}:
                inside -= 1
            case {"Start": {"Heading": {"level": "H1"}}} if not inside:
                parts = []
            case {"End": {"Heading": "H1"}} if parts:
                return "".join(parts)
            case {"Text": str(part)} | {"Code": str(part)} if parts is not None:
                parts.append(part)
            case "SoftBreak" | "HardBreak" if parts is not None:
                parts.append(" ")
            case _:
                pass
    return ""


def _unquote(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    return value[1:-1] if quoted else value
