"""The blocks of a text, whatever its format."""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias

LONGEST_TITLE = 300

Kind: TypeAlias = Literal["heading", "prose", "paragraphs", "code", "table", "group"]


class Block(NamedTuple):
    """A stretch of the text that is one thing to its author.

    `paragraphs` is prose parted by blank lines, `code` is kept whole where it fits, `table`
    has its rows as children with the header first, `group` (a list, an item, a quotation) has
    blocks in it. `level` and `title` are a heading's. Spans count code points.
    """

    start: int
    end: int
    kind: Kind
    level: int = 0
    title: str = ""
    children: tuple["Block", ...] = ()


def fill_gaps(text: str, blocks: Iterable[Block], start: int, end: int) -> Iterator[Block]:
    """Yield the blocks, and what stands between them as prose, so that nothing is lost.

    A block that starts within a line after nothing but markers takes them in.
    """
    reached = start
    for block in blocks:
        line = max(text.rfind("\n", reached, block.start) + 1, reached)
        if line > reached and not text[reached:line].isspace():
            yield Block(reached, line, "prose")
        yield block if line == block.start else block._replace(start=line)
        reached = block.end
    if reached < end and not text[reached:end].isspace():
        yield Block(reached, end, "prose")


def one_line(title: str) -> str:
    """A title as it stands in a heading path: on one line, and not without end."""
    return " ".join(title.split())[:LONGEST_TITLE].rstrip()
