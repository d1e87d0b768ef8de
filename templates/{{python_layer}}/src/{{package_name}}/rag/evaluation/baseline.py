"""A run kept in a file, and how later runs of the same queries differ from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from ..contracts import QueryId
from ..errors import EvaluationError
from .fingerprint import Fingerprint, require_comparable
from .report import Report
from .significance import Difference, compare_scores


class Baseline(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    tag_field="schema",
    tag="ragseam.baseline.v1",
):
    """One run: nDCG@10 by row and query, the served row, and what it was measured on."""

    fingerprint: Fingerprint
    served: str
    ndcg: dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """This run less a baseline, row by row, and what else changed between them.

    `served` compares what each run would serve, whatever the rows are called.
    """

    served: Difference
    rows: Sequence[Difference]
    changed_settings: Sequence[str]
    index_changed: bool

    @property
    def regressed(self) -> bool:
        """Whether what is served is clearly worse than it was."""
        return self.served.interval.is_loss


def save_baseline(path: Path, report: Report) -> None:
    """Write the report's scores by query to `path`, as JSON."""
    scores = {
        row.name: {str(query_id): score for query_id, score in row.ndcg.items()}
        for row in report.rows
    }
    baseline = Baseline(report.fingerprint, report.served, scores)
    text = msgspec.json.format(msgspec.json.encode(baseline), indent=1)
    try:
        path.write_bytes(text + b"\n")
    except OSError as error:
        raise EvaluationError(f"{path}: {error.strerror}") from error


def compare_baseline(report: Report, path: Path) -> Comparison:
    """How this run differs from the baseline in `path`.

    Raises:
        EvaluationError: there is no such baseline, or it is of another corpus or other
            golden queries.
    """
    baseline = _load(path)
    require_comparable(report.fingerprint, baseline.fingerprint)
    rows = [
        _difference(report, row.name, baseline, row.name)
        for row in report.rows
        if row.name in baseline.ndcg
    ]
    return Comparison(
        served=_difference(report, report.served, baseline, baseline.served),
        rows=rows,
        changed_settings=report.fingerprint.changed_settings(baseline.fingerprint),
        index_changed=report.fingerprint.index != baseline.fingerprint.index,
    )


def _load(path: Path) -> Baseline:
    try:
        baseline = msgspec.json.decode(path.read_bytes(), type=Baseline)
    except OSError as error:
        raise EvaluationError(
            f"{path}: {error.strerror}", fix="Make one with `eval --save-baseline FILE`."
        ) from error
    except msgspec.DecodeError as error:
        raise EvaluationError(f"{path} is no baseline: {error}") from error
    if baseline.served not in baseline.ndcg:
        raise EvaluationError(f"{path} is no baseline: it holds no row {baseline.served!r}")
    return baseline


def _difference(report: Report, row: str, baseline: Baseline, against: str) -> Difference:
    theirs = {QueryId(query_id): score for query_id, score in baseline.ndcg[against].items()}
    return compare_scores(row, report.row(row).ndcg, f"baseline {against}", theirs)
