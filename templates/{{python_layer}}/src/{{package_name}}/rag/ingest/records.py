"""What a scan finds."""

from dataclasses import dataclass
from pathlib import Path

from ..contracts import DocumentId


@dataclass(frozen=True, slots=True)
class Source:
    """A file to index; `digest` is the SHA-256 of its raw bytes, in hex."""

    id: DocumentId
    path: Path
    digest: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """What was seen and not indexed: a file, or a folder whose id ends in `/`.

    A folder counts once, whatever it holds. `reason` is one of

    - `ignored`: hidden, excluded by a `.gitignore`, or a build output;
    - `too_large`, `empty`, `binary`, `undecodable`;
    - `outside_root`, `duplicate`, `broken_link`: a symbolic link out of the root, to
      something that is indexed under its own name, or to nothing;
    - `not_a_file`: a pipe, socket or device, which is never opened;
    - `bad_name`: its name is not valid UTF-8;
    - `unreadable`: it can't be opened, or is damaged; `changed`: it changed while the run
      lasted;
    - `needs_extra`: `detail` says what to install; `no_text_layer`: a PDF of images.
    """

    source: str
    reason: str
    detail: str = ""
