"""Prints how good retrieval is: the table of `eval`, and what `tune` recommends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from .explanation import plan_text
from .rag.config import env_name
from .rag.evaluation import eval_payload
from .views import clean, new_table, print_json, print_table

if TYPE_CHECKING:
    from rich.table import Table

    from .rag.evaluation.baseline import Comparison
    from .rag.evaluation.report import Report
    from .rag.evaluation.significance import Interval
    from .rag.evaluation.tuning import Tuning


def print_report(report: Report, comparison: Comparison | None, *, json: bool) -> None:
    """Print one row a retriever, the floor, refusals, and the change since a baseline."""
    if json:
        compared = {"baseline": _comparison_fields(comparison)} if comparison else {}
        print_json("eval", {**eval_payload(report), **compared})
        return
    print_table(_table(report))
    slices = new_table("nDCG@10 by slice", *report.rows[0].slices)
    for row in report.rows:
        slices.add_row(row.name, *(f"{score:.3f}" for score in row.slices.values()))
    if report.rows[0].slices:
        click.echo()
        print_table(slices)
    click.echo()
    _print_queries(report)
    for difference in report.differences:
        click.echo(f"{difference.row} against {difference.against}: {gain(difference.interval)}")
    if report.fingerprint.settings["embedding"] == "hash":
        click.echo("The embeddings are the hash stand-in: they know no meaning.")
    if comparison:
        click.echo(f"served, against the baseline: {gain(comparison.served.interval)}")
        for change in comparison.changed_settings:
            click.echo(f"  changed {clean(change)}")


def failed_gates(report: Report, comparison: Comparison | None, min_ndcg: float) -> list[str]:
    """What keeps a run from passing, in sentences."""
    failures: list[str] = []
    if not report.passes(min_ndcg):
        score = report.row(report.served).measures["nDCG@10"]
        failures.append(f"{report.served} has nDCG@10 {score:.4f}, below min_ndcg {min_ndcg}")
    if comparison and comparison.regressed:
        failures.append(f"{report.served} is clearly worse than the baseline")
    return failures


def print_tuning(tuning: Tuning, *, json: bool, written: bool) -> None:
    """Print what tuning found, and the settings that it recommends or why it does not."""
    values = tuning.settings()
    if json:
        print_json("tune", {"settings": values, **_tuning_fields(tuning)})
        return
    means = tuning.means
    click.echo(
        f"nDCG@10 on all judged queries: now {means.current:.3f}, dense alone {means.dense:.3f},"
        f" keyword alone {means.keyword:.3f}"
    )
    click.echo(
        f"{tuning.candidates} settings tried on {tuning.tuning_queries} queries,"
        f" scored on the other {tuning.held_out_queries}"
    )
    if tuning.best and tuning.gain:
        click.echo(f"best of the tuning half: {plan_text(tuning.best)}; gain {gain(tuning.gain)}")
    click.echo(_VERDICTS[tuning.reason])
    for name, value in values.items():
        click.echo(f"  {env_name(name)}={value}")
    if values:
        click.echo("They stand in .env now." if written else "Put them into .env by --write.")


def gain(interval: Interval) -> str:
    """A difference in nDCG@10 with its 95 % interval."""
    return f"{interval.mean:+.3f} nDCG@10 (95 %: {interval.low:+.3f} to {interval.high:+.3f})"


_VERDICTS = {
    "gain": "A clear gain. Recommended settings:",
    "safety": "Fusion loses to its better leg here. Safer settings:",
    "unclear": "No clear gain: the settings stay as they are.",
    "too_few": "Too few judged queries to tell: the settings stay as they are.",
}


def _table(report: Report) -> Table:
    measures = list(report.rows[0].measures)
    table = new_table("retriever", *measures, "p50 ms", "p95 ms")
    for row in report.rows:
        scores = (f"{row.measures[name]:.3f}" for name in measures)
        times = (f"{row.latency_ms[name]:.1f}" for name in ("p50", "p95"))
        mark = " *" if row.name == report.served else ""
        table.add_row(row.name + mark, *scores, *times)
    table.add_row("random order", *(f"{report.random[name]:.3f}" for name in measures), "", "")
    return table


def _print_queries(report: Report) -> None:
    refusals = report.refusals
    click.echo(f"* what a search takes; {report.judged} judged queries")
    if report.unjudged:
        click.echo(f"{len(report.unjudged)} queries without a judgement are left out")
    if refusals.unanswerable.queries:
        click.echo(
            f"refused as too far (similarity below {refusals.threshold}):"
            f" {refusals.unanswerable.share:.0%} of {refusals.unanswerable.queries} unanswerable,"
            f" {refusals.answerable.share:.0%} of {refusals.answerable.queries} others"
        )
    degraded = sum(row.degraded for row in report.rows)
    if degraded:
        click.echo(f"the reranker failed {degraded} times; the fused order stood in")


def _comparison_fields(comparison: Comparison) -> dict[str, object]:
    return {
        "served": msgspec.to_builtins(comparison.served),
        "rows": [msgspec.to_builtins(row) for row in comparison.rows],
        "changed_settings": list(comparison.changed_settings),
        "index_changed": comparison.index_changed,
        "regressed": comparison.regressed,
    }


def _tuning_fields(tuning: Tuning) -> dict[str, object]:
    fields = msgspec.to_builtins(tuning)
    return {name: value for name, value in fields.items() if name != "recommended"}
