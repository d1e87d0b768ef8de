"""What can go wrong, each kind under one root; a surface translates them in one place."""


class RagError(Exception):
    """Says what is wrong, where, and what to do next.

    `fix` is a sentence or a command for the reader; the cause is chained with `from`.
    """

    def __init__(self, what: str, *, fix: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix

    def __str__(self) -> str:
        return f"{self.what}\n  {self.fix}" if self.fix else self.what


class ConfigError(RagError):
    """A setting has a value that it can't take."""


class MissingExtraError(RagError):
    """An optional dependency is not installed; `fix` holds the install command."""


class IngestError(RagError):
    """The source as a whole can't be read; one bad file is skipped instead."""


class EmbeddingError(RagError):
    """Vectors could not be had, or are not usable."""


class RerankError(RagError):
    """A reranker failed; the composition root falls back to the fused order."""


class GenerationError(RagError):
    """The model could not be reached; an invalid reply is a refusal instead."""


class StoreError(RagError):
    """The index can't be opened, read or written."""


class IndexMissingError(StoreError):
    """There is no index yet."""


class IndexMismatchError(StoreError):
    """The index was built with other settings than the ones it is opened with."""


class IndexCorruptError(StoreError):
    """The index file is damaged."""


class IndexLockedError(StoreError):
    """Another process is writing the index."""


class EvaluationError(RagError):
    """The golden queries, a collection or a comparison is unusable."""
