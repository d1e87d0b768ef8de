"""The writing side of the keyword index: collects terms of chunks, merges them into blocks."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from .checksums import blob_checksum, blob_is_intact
from .faults import damaged
from .lengths import Numbers
from .postings import BLOCK, ENTRY_BYTES, Occurrences, decode, frequency, merge

_MOST_PENDING = 3_000_000
_MOST_COUNTED = 200_000


def posting_place(term: str, block: int) -> str:
    """Where postings stand, for their checksum."""
    return f"{term} {block}"


class InvertedIndex:
    """Adds chunks to the keyword index and takes them out, inside a write transaction."""

    def __init__(self, connection: sqlite3.Connection, path: Path, numbers: Numbers) -> None:
        self._connection = connection
        self._path = path
        self._numbers = numbers
        self._added, self._removed = Occurrences(), Occurrences()
        self._pending: set[int] = set()
        self._written = {block for block, live in numbers.live().items() if live}
        self._changes: defaultdict[str, int] = defaultdict(int)
        self._is_new = not self._written

    def add(self, number: int, terms: Sequence[str]) -> None:
        """Index the chunk `number`, which holds no terms."""
        self._added.append(number, terms)
        self._pending.add(number)
        bulk = self._numbers.is_full(number) and number // BLOCK not in self._written
        if bulk or len(self._added) + len(self._removed) > _MOST_PENDING:
            self.flush()

    def remove(self, number: int, terms: Sequence[str]) -> None:
        """Take the chunk `number` out; `terms` are those it was added with."""
        if number in self._pending:
            self.flush()
        self._removed.append(number, terms)

    def flush(self) -> None:
        """Write what is pending; a removal goes before an addition to the same number."""
        removed = {(term, block): postings for term, block, postings in self._removed.grouped()}
        self._connection.executemany(
            "INSERT OR REPLACE INTO posting(term, block, postings, checksum) VALUES (?, ?, ?, ?)",
            self._merged(removed),
        )
        for (term, block), postings in removed.items():
            self._take_out(term, block, postings)
        self._written.update(number // BLOCK for number in self._pending)
        self._added, self._removed = Occurrences(), Occurrences()
        self._pending.clear()
        if len(self._changes) > _MOST_COUNTED:
            self._save_changes()

    def finish(self) -> None:
        """Write everything, document frequencies included."""
        self.flush()
        if self._is_new:
            self._connection.execute(
                "INSERT INTO term SELECT term, sum(length(postings)) / ? FROM posting "
                "GROUP BY term",
                (ENTRY_BYTES,),
            )
        else:
            self._save_changes()

    def _save_changes(self) -> None:
        changes = [change for change in self._changes.items() if change[1]]
        self._connection.executemany(
            "INSERT INTO term(text, frequency) VALUES (?, ?) "
            "ON CONFLICT(text) DO UPDATE SET frequency = frequency + excluded.frequency",
            changes,
        )
        self._connection.executemany(
            "DELETE FROM term WHERE text = ? AND frequency = 0",
            ((term,) for term, change in changes if change < 0),
        )
        self._changes.clear()

    def _merged(
        self, removed: dict[tuple[str, int], bytes]
    ) -> Iterator[tuple[str, int, bytes, int]]:
        """Rows for every added group; takes what it merged out of `removed`."""
        changes, written, count = self._changes, self._written, not self._is_new
        for term, block, postings in self._added.grouped():
            merged, before = postings, b""
            if block in written:
                before = self._stored(term, block)
                gone = removed.pop((term, block), b"")
                merged = merge(before, decode(gone)[0], postings) if before else postings
                if merged == before:
                    continue
            if count:
                changes[term] += frequency(merged) - frequency(before)
            yield term, block, merged, blob_checksum(merged, posting_place(term, block))

    def _take_out(self, term: str, block: int, postings: bytes) -> None:
        before = self._stored(term, block)
        left = merge(before, decode(postings)[0], b"")
        if not self._is_new:
            self._changes[term] += frequency(left) - frequency(before)
        if left:
            self._connection.execute(
                "UPDATE posting SET postings = ?, checksum = ? WHERE term = ? AND block = ?",
                (left, blob_checksum(left, posting_place(term, block)), term, block),
            )
        else:
            self._connection.execute(
                "DELETE FROM posting WHERE term = ? AND block = ?", (term, block)
            )

    def _stored(self, term: str, block: int) -> bytes:
        row = self._connection.execute(
            "SELECT postings, checksum FROM posting WHERE term = ? AND block = ?", (term, block)
        ).fetchone()
        if row is None:
            return b""
        if not blob_is_intact(row[1], row[0], posting_place(term, block)):
            raise damaged(self._path, f"postings of {term!r} do not match their checksum")
        return row[0]
