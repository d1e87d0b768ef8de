"""What a run was measured on, so that unlike runs are not compared."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from ..config import Settings
from ..contracts import DocumentId
from ..errors import EvaluationError
from .golden import Golden

_APART = ("generation", "min_similarity", "min_ndcg", "source_dir", "golden_path", "index_dir")
_SECRET_OR_PLACE = ("_api_key", "_url", "_timeout_s")


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Digests of the corpus, the golden queries and the index, and the settings in words.

    `corpus` covers document ids and their texts, so it outlives a change of chunking;
    `settings` holds what retrieval depends on, without keys and addresses.
    """

    corpus: str
    golden: str
    index: str
    settings: Mapping[str, str | int | float]

    def payload(self) -> dict[str, object]:
        """As JSON values; the settings as a digest and in full."""
        return {
            "corpus": self.corpus,
            "golden": self.golden,
            "index": self.index,
            "settings": _digest(self.settings),
            "setting_values": dict(self.settings),
        }

    def changed_settings(self, other: "Fingerprint") -> list[str]:
        """Settings in which this run differs from another, as `name: theirs -> ours`."""
        names = sorted(self.settings.keys() | other.settings.keys())
        return [
            f"{name}: {other.settings.get(name)} -> {self.settings.get(name)}"
            for name in names
            if self.settings.get(name) != other.settings.get(name)
        ]


def fingerprint_of(
    settings: Settings, golden: Golden, documents: Mapping[DocumentId, str], index: str
) -> Fingerprint:
    """Fingerprint of a run over `documents`, digest by id, and an index of digest `index`."""
    chosen: dict[str, str | int | float] = {
        name: _whole(value)
        for name, value in msgspec.structs.asdict(settings).items()
        if not name.startswith(_APART) and not name.endswith(_SECRET_OR_PLACE)
    }
    corpus = _digest(sorted(documents.items()))
    return Fingerprint(corpus, _digest(golden.queries), index, chosen)


def require_comparable(run: Fingerprint, other: Fingerprint) -> None:
    """Refuse to compare runs over another corpus or other golden queries.

    Settings and index may differ: their effect is what a comparison measures.

    Raises:
        EvaluationError: they are unlike; the message holds both fingerprints.
    """
    pairs = {"corpus": (run.corpus, other.corpus), "golden": (run.golden, other.golden)}
    for name, (ours, theirs) in pairs.items():
        if ours != theirs:
            raise EvaluationError(
                f"the runs have unlike fingerprints: {name} {ours} here, {name} {theirs} there",
                fix="Save a new baseline with `eval --save-baseline FILE`.",
            )


def _whole(value: str | int | float) -> str | int | float:
    """A whole number as an integer, since not every language tells 1.0 from 1."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _digest(value: object) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()
