"""Reading of files: regular ones alone, and never past a limit."""

import os
import stat
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

BLOCK_BYTES = 1 << 20
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
)


class TooLargeError(Exception):
    """The file holds more bytes than the limit; `size` is what is known of it."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.size = size


def read_blocks(path: Path) -> Iterator[bytes]:
    """Yield a file's bytes in blocks. No link is followed, and no pipe or device waited for.

    Raises:
        OSError: it can't be read, or is no regular file.
    """
    descriptor = os.open(path, _FLAGS)
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, "not a regular file")
        while block := file.read(BLOCK_BYTES):
            yield block


def hash_file(path: Path, *, max_bytes: int) -> str:
    """SHA-256 of a file's bytes, in hex.

    Raises:
        OSError: it can't be read.
        TooLargeError: it has grown past `max_bytes`.
    """
    digest, size = sha256(), 0
    for block in read_blocks(path):
        size += len(block)
        if size > max_bytes:
            raise TooLargeError(size)
        digest.update(block)
    return digest.hexdigest()


def read_file(path: Path) -> bytes:
    """All bytes of a regular file.

    Raises:
        OSError: it can't be read.
    """
    return b"".join(read_blocks(path))
