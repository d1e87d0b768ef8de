"""SQLite's own full-text index, and sqlite-vec, in one file; by APSW, which loads extensions."""

import re
from pathlib import Path

import apsw
import numpy as np
import sqlite_vec

from ..corpus import DIMENSIONS
from . import DEPTH, Documents, fused


class _Engine:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "index.sqlite"

    def build(self, documents: Documents) -> None:
        self.open()
        run = self.connection.execute
        run("PRAGMA journal_mode=WAL")
        run("CREATE VIRTUAL TABLE words USING fts5(text, tokenize='porter unicode61')")
        run(f"CREATE VIRTUAL TABLE vectors USING vec0(vector float[{DIMENSIONS}])")
        number = 0
        with self.connection:
            for _, texts, rows in documents:
                for text, row in zip(texts, rows, strict=True):
                    run("INSERT INTO words(rowid, text) VALUES (?, ?)", (number, text))
                    run("INSERT INTO vectors(rowid, vector) VALUES (?, ?)", (number, row.tobytes()))
                    number += 1
        self.connection.close()

    def open(self) -> None:
        self.connection = apsw.Connection(str(self.path))
        self.connection.enable_load_extension(True)
        self.connection.load_extension(sqlite_vec.loadable_path())

    def dense(self, vector: np.ndarray) -> list[int]:
        """Unit vectors: the nearest have the highest inner product."""
        query = "SELECT rowid FROM vectors WHERE vector MATCH ? AND k = ? ORDER BY distance"
        return [row[0] for row in self.connection.execute(query, (vector.tobytes(), DEPTH))]

    def keyword(self, text: str) -> list[int]:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", text))
        query = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?"
        return [row[0] for row in self.connection.execute(query, (words, DEPTH))]

    def hybrid(self, text: str, vector: np.ndarray) -> list[str]:
        best = fused(self.dense(vector), self.keyword(text))
        marks = ",".join("?" * len(best))
        query = f"SELECT text FROM words WHERE rowid IN ({marks})"
        return [row[0] for row in self.connection.execute(query, best)]


make = _Engine
