"""Files of one record a line, read so that every fault names its line."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from ..errors import EvaluationError

RecordT = TypeVar("RecordT")


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Number and text of each line that is not blank, counted from 1.

    Raises:
        EvaluationError: the file can't be read, or a line is not UTF-8.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise EvaluationError(f"{path}: {error.strerror}") from error
    for number, line in enumerate(raw.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        try:
            text = line.decode().rstrip("\r")
        except UnicodeDecodeError as error:
            raise fault(path, number, f"not UTF-8 ({error.reason})") from error
        if text.strip():
            yield number, text


def read_records(path: Path, record: type[RecordT]) -> Iterator[tuple[int, RecordT]]:
    """Each line of a JSON Lines file as a `record`, with its number.

    Raises:
        EvaluationError: a line is not such a record.
    """
    decoder = msgspec.json.Decoder(record)
    for number, line in read_lines(path):
        try:
            yield number, decoder.decode(line)
        except msgspec.DecodeError as error:
            raise fault(path, number, str(error)) from error


def fault(path: Path, line: int, what: str, *, fix: str = "") -> EvaluationError:
    """An error at one line of a file."""
    return EvaluationError(f"{path}:{line}: {what}", fix=fix)
