"""One writer at a time, by a lock on a file that says who holds it.

The operating system frees the lock when its holder dies, so that a killed run blocks nobody. The
file itself stays: removing it would let two writers lock two files of one name.
"""

import json
import os
import socket
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from ..errors import IndexLockedError, StoreError

POLL_S = 0.05

if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: BinaryIO) -> bool:
        # Windows bars reading a locked range, so the range lies behind the holder's text.
        handle.seek(1 << 30)
        try:
            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(handle: BinaryIO) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


@contextmanager
def writer_lock(path: Path, *, wait_s: float) -> Generator[None]:
    """Hold the lock file at `path`, waiting up to `wait_s` seconds for it.

    Raises:
        IndexLockedError: another process holds it; the message names it.
        StoreError: the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = path.open("a+b")
    except OSError as error:
        raise StoreError(
            f"{path.parent} can't be written: {error.strerror}",
            fix="Make the index folder writable, or choose another.",
        ) from error
    with handle:
        deadline = time.monotonic() + wait_s
        while not _try_lock(handle):
            if time.monotonic() >= deadline:
                raise IndexLockedError(
                    f"another run is writing the index: {_holder(handle)}",
                    fix="Wait for it to end, or stop it.",
                )
            time.sleep(POLL_S)
        _name_holder(handle)
        yield


def _name_holder(handle: BinaryIO) -> None:
    since = datetime.now(UTC).isoformat(timespec="seconds")
    holder = {"pid": os.getpid(), "host": socket.gethostname(), "since": since}
    try:
        handle.truncate(0)
        handle.write(json.dumps(holder).encode())
        handle.flush()
    except OSError:
        # The lock is held all the same; only its name is missing, as on a full disk.
        return


def _holder(handle: BinaryIO) -> str:
    handle.seek(0)
    try:
        holder = json.loads(handle.read(4096))
        return f"process {holder['pid']} on {holder['host']}, since {holder['since']}"
    except (ValueError, KeyError, TypeError):
        return "a process that did not give its name"
