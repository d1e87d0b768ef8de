"""What a scan finds: a source to load, or something skipped and why."""

from dataclasses import dataclass
from pathlib import Path

from ..contracts import DocumentId


@dataclass(frozen=True, slots=True)
class Source:
    """A file to load. `digest` is the SHA-256 of its raw bytes, in hex."""

    id: DocumentId
    path: Path
    digest: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something seen and not indexed: a file, or a folder whose `source` ends with `/`.

    A folder counts once, whatever it holds. `reason` is one of

    - `ignored`: hidden, a package folder, a virtual environment or a cache, or excluded by
      a `.gitignore`, whose line `detail` holds;
    - `too_large`, `empty`, `binary`, `undecodable`;
    - `outside_root`, `duplicate`, `broken_link`: a symbolic link that leads out of the
      root, to what is read under its own name, or to nothing;
    - `not_a_file`: a pipe, socket or device, which is never opened;
    - `bad_name`: a name that is not UTF-8;
    - `unreadable`: it can't be opened, or is damaged;
    - `needs_extra`: `detail` says what to install; `no_text_layer`: a PDF of pictures.
    """

    source: str
    reason: str
    detail: str = ""
