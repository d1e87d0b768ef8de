"""What can go wrong; the command line prints these and exits with status 2."""

from collections.abc import Sequence


class RagseamError(Exception):
    """Says what is wrong; `fix` says what to do about it."""

    def __init__(self, what: str, *, fix: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix


class TemplateError(RagseamError):
    """The template can't be fetched, read or rendered."""


class AnswerError(RagseamError):
    """Answers that the template does not take, all of them at once."""

    def __init__(self, faults: Sequence[str], *, fix: str = "") -> None:
        super().__init__("\n".join(faults), fix=fix)
        self.faults = tuple(faults)


class VerifyError(RagseamError):
    """There is nothing to verify, or nothing to verify it with."""


class ReleaseError(RagseamError):
    """A release can't be made; the tree is as it was."""
