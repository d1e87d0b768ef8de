"""Documents as chunks: spans in code points, heading paths, ids and digests."""

from hashlib import sha256

from acme_search.rag.chunk import CHUNKER_VERSION, chunk_document
from acme_search.rag.contracts import Document, DocumentId

PROSE = (
    "The pump drains the tank in nine minutes. Ready? Yes! It stops at 4.5 bar, e.g. when cold… "
    "Then it rests. “Done.” (Or not.) 水泵排空水箱。等待九分钟！然后停止。"
)
FLAGS = "🇩🇪🇫🇷👩‍👩‍👧 e\u0301\u0323 👍🏽 𝒳𝒴 𐐨𐐀 "
ROWS = "\n".join(f"| E-{number} | {'cause ' * (number % 5)}| {number} |" for number in range(12))
TABLE = f"| Code | Cause | N |\n|:-----|---|--:|\n{ROWS}"
CODE = "def pump():\n    start()\n\n    stop()\n\n\nclass Tank:\n    level = 0\n\n    x = 1\n"

MARKDOWN = f"""---
title: x
---
Before any heading. {PROSE}

# Pump *X2* `v2` &amp; [more](x)

## Parts

### Valve

{PROSE}

- one
- two
  1. inner {PROSE}
  2. inner

     {PROSE}
- three

  ```sh
  pump --drain
  ```

> said {PROSE}
>
> - in
>
> # Quoted

Codes
-----

{TABLE}

```python
{CODE}```

<div>
{PROSE}
</div>

[x]: /y
[z]: /w "title"

* * *

#### Empty

##### Deep
###### Deeper

    indented
        code

- | a | b |
  |---|---|
  | 1 | 2 |

[x] {FLAGS}
"""
RST = f"""=====
Title
=====

{PROSE}

Part
----

Text::

    literal
      block

.. note::

   {PROSE}

Other
~~~~~
{PROSE}

Part two {FLAGS}
-------------------------
x
"""
TEXTS: list[tuple[str, str]] = [
    ("markdown", MARKDOWN),
    ("markdown", f"{PROSE}\n\n" * 3 + PROSE),
    ("markdown", FLAGS * 12),
    ("markdown", "x" * 300 + "\n\n" + "🇩🇪" * 120 + "\u0301" * 90),
    ("markdown", f"- a\n{'- b ' * 40}\n\n{TABLE}\n\n> > {PROSE}\n> > - {PROSE}\n"),
    ("markdown", "# Only a heading"),
    ("markdown", "# " + "long heading " * 30 + f"\n\n{PROSE}"),
    ("markdown", "same\n\n" * 30),
    ("markdown", "> - - | a | b |\n>     |---|---|\n>     | 1 | 2 |\n"),
    ("markdown", " \n\t\n"),
    ("markdown", ""),
    ("rst", RST),
    ("code", CODE * 4 + FLAGS),
    ("text", f"   {PROSE}\n \n\n{FLAGS}\n\n  indented\n\n{PROSE}"),
    ("text", f"{PROSE}\u2028{PROSE}\u00a0{PROSE}\x1f{PROSE}\u3000{PROSE}"),
    ("text", "A line that ends\nand goes on. A sentence\nwith a line. Another one\n" * 8),
    ("text", "Stop. 𝑥 is small. 𝑋 is large. 𐐨 is small. 𐐀 is large. " * 8),
    ("markdown", "- a | b\n  --|--\n  1 | 2\n\n| one\n---\n\n1. x | y\n-|-\n1 | 2\n\ntext " * 3),
    ("html", f"# Page\n\n{PROSE}\n\n- {PROSE}"),
]
SIZES = ((1000, 150), (200, 50), (80, 20), (30, 0), (7, 3))


def vectors() -> dict[str, object]:
    documents = [_document(*given, number) for number, given in enumerate(TEXTS, start=1)]
    return {
        "version": CHUNKER_VERSION,
        "documents": [
            {
                "id": document.id,
                "title": document.title,
                "format": document.metadata["format"],
                "text": document.text,
                "chunks": {
                    f"{chars}/{overlap}": _chunks(document, chars, overlap)
                    for chars, overlap in SIZES
                    if chars > 100 or len(document.text) < 900
                },
            }
            for document in documents
        ],
    }


def _document(form: str, text: str, number: int) -> Document:
    name = DocumentId(f"dir/{number}.{form}")
    title = "Only a heading" if number % 2 else f"Title {number} 水"
    return Document(name, text, "", name, title, {"format": form})


def _chunks(document: Document, chars: int, overlap: int) -> dict[str, object]:
    """Start and end of each chunk in turn, and a checksum over all that chunks hold."""
    chunks = chunk_document(document, chunk_chars=chars, overlap_chars=overlap)
    told = [
        "\n".join([it.id, str(it.ordinal), it.digest, *it.heading_path, it.preamble, it.text])
        for it in chunks
    ]
    return {
        "spans": [offset for chunk in chunks for offset in (chunk.start, chunk.end)],
        "headings": sorted({" > ".join(chunk.heading_path) for chunk in chunks}),
        "sha256": sha256("\n\n".join(told).encode()).hexdigest(),
    }
