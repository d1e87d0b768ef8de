"""An embedding endpoint that knows the vectors of one collection's documents and queries."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np


class FrozenVectors:
    """Serves `/embeddings` on the loopback address while it is open, and gives its address.

    A part of a document has the vector of the whole; lines put before it, such as headings, are
    passed over. One text more is answered: the one by which a service tells that an endpoint is
    still the same model.
    """

    def __init__(self, collection: Path, vectors: Path) -> None:
        documents = [_words(line["text"]) for line in _lines(collection / "corpus.jsonl")]
        texts = {line["_id"]: line["text"] for line in _lines(collection / "queries.jsonl")}
        qrels = (collection / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()
        judged = dict.fromkeys(line.split("\t")[0] for line in qrels[1:])
        held = np.load(vectors)
        self._documents = dict(zip(documents, held["E"].astype(float).tolist(), strict=True))
        queries = [_words(texts[name]) for name in judged]
        self._queries = dict(zip(queries, held["Q"].astype(float).tolist(), strict=True))
        self._probes: set[str] = set()

    def __enter__(self) -> str:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        Thread(target=self._server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_port}"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def vector(self, text: str) -> list[float] | None:
        """The vector of a text, or None when it is no text of the collection."""
        if found := self._queries.get(_words(text)):
            return found
        lines = text.split("\n")
        for start in range(min(3, len(lines))):
            if found := self._documents.get(_words("\n".join(lines[start:]))):
                return found
        end = _words(lines[-1])[-100:]
        for document, vector in self._documents.items():
            if end in document:
                return vector
        self._probes.add(text)
        return [1.0, *[0.0] * 383] if len(self._probes) == 1 else None

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        vector = self.vector

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                found = [vector(text) for text in json.loads(body)["input"]]
                rows = [{"index": at, "embedding": row} for at, row in enumerate(found)]
                reply = json.dumps({"data": rows}).encode()
                self.send_response(404 if None in found else 200)
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing of a request."""

        return Handler


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def _words(text: str) -> str:
    return " ".join(text.split())
