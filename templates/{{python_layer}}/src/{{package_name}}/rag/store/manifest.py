"""What an index was built with, and what it holds; each entry is checked when it is read."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from ..errors import IndexMismatchError
from .checksums import DIGEST_MODULUS, row_checksum, row_is_intact
from .faults import REBUILD, damaged

LEAST_PROBE_COSINE = 0.999


@dataclass(frozen=True, slots=True)
class Manifest:
    """The identity of an index: settings that change what is stored.

    `entries` maps a key such as `embedder` to a JSON scalar as text. `probe` is the float32 vector
    of one fixed text, little-endian: it tells a model that changed under its name. None: not
    compared.
    """

    entries: Mapping[str, str]
    probe: bytes | None = None


@dataclass(slots=True)
class State:
    """What the index holds after `run` runs that changed it.

    `tokens` is the length of all chunks, counted in terms. `created` and `updated` are seconds
    since the epoch. The digests are sums of `checksums.element`.
    """

    run: int = 0
    documents: int = 0
    chunks: int = 0
    tokens: int = 0
    dimensions: int = 0
    corpus_digest: int = 0
    index_digest: int = 0
    created: float = 0.0
    updated: float = 0.0
    last_run: dict[str, int] = field(default_factory=dict[str, int])


def write_identity(connection: sqlite3.Connection, manifest: Manifest) -> None:
    """Store the identity, over whatever was there."""
    connection.execute("DELETE FROM manifest WHERE key LIKE 'identity/%' OR key = 'probe'")
    for key, value in manifest.entries.items():
        _write(connection, f"identity/{key}", value)
    if manifest.probe is not None:
        _write(connection, "probe", manifest.probe.hex())


def write_state(connection: sqlite3.Connection, state: State) -> None:
    """Store the state, over the one before."""
    fields = asdict(state)
    for name in ("corpus_digest", "index_digest"):
        fields[name] = digest_text(fields[name])
    _write(connection, "state", json.dumps(fields))


def read_state(connection: sqlite3.Connection, path: Path) -> State:
    """Read the state.

    Raises:
        IndexCorruptError: it is lost or damaged.
    """
    row = connection.execute(
        "SELECT key, value, checksum FROM manifest WHERE key = 'state'"
    ).fetchone()
    if row is None or not row_is_intact(row[2], *row[:2]):
        raise damaged(path, "its state is lost")
    fields = json.loads(row[1])
    for name in ("corpus_digest", "index_digest"):
        fields[name] = int(fields[name], 16)
    return State(**fields)


def read_identity(connection: sqlite3.Connection, path: Path) -> Manifest:
    """Read the identity.

    Raises:
        IndexCorruptError: an entry is damaged.
    """
    entries: dict[str, str] = {}
    probe = None
    for key, value, checksum in connection.execute(
        "SELECT key, value, checksum FROM manifest WHERE key <> 'state'"
    ):
        if not row_is_intact(checksum, key, value):
            raise damaged(path, f"its manifest entry {key!r} does not match its checksum")
        if key == "probe":
            probe = bytes.fromhex(value)
        else:
            entries[key.removeprefix("identity/")] = value
    return Manifest(entries, probe)


def require_identity(stored: Manifest, configured: Manifest) -> None:
    """Refuse an index that was built with other settings.

    Raises:
        IndexMismatchError: names each key that differs, with both values.
    """
    keys = sorted({*stored.entries, *configured.entries})
    differences = [
        f"{key}: the index has {stored.entries.get(key, 'nothing')}, "
        f"the settings say {configured.entries.get(key, 'nothing')}"
        for key in keys
        if stored.entries.get(key) != configured.entries.get(key)
    ]
    if not differences and stored.probe is not None and configured.probe is not None:
        cosine = _cosine(stored.probe, configured.probe)
        if not cosine >= LEAST_PROBE_COSINE:
            differences.append(
                "probe: the embedder gives another vector for the same text than when the index "
                f"was built (cosine {cosine:.4f}, at least {LEAST_PROBE_COSINE} expected)"
            )
    if differences:
        raise IndexMismatchError("; ".join(differences), fix=REBUILD)


def digest_text(digest: int) -> str:
    """A digest as 64 hexadecimal digits."""
    return f"{digest % DIGEST_MODULUS:064x}"


def _write(connection: sqlite3.Connection, key: str, value: str) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO manifest(key, value, checksum) VALUES (?, ?, ?)",
        (key, value, row_checksum(key, value)),
    )


def _cosine(left: bytes, right: bytes) -> float:
    if len(left) != len(right):
        return 0.0
    a, b = (np.frombuffer(each, dtype="<f4").astype(np.float64) for each in (left, right))
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b) or 1.0))
