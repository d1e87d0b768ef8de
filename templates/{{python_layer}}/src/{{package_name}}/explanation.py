"""Tells how a search found its passages: terms, rank and score in each leg, fusion, rerank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from .views import clean, new_table, print_table

if TYPE_CHECKING:
    from .rag.contracts import Placing, RerankedPassages
    from .rag.retrieval import Retrieval
    from .rag.retrieve import FusionPlan

LEGS = ("dense", "keyword", "fused", "rerank")


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a search looked for and how it fused; `matched` holds the terms of each passage."""

    terms: Sequence[str]
    plan: FusionPlan
    matched: Sequence[Sequence[str]]


def explain(retrieval: Retrieval, found: RerankedPassages) -> Explanation:
    """Tell how the passages of a search were found."""
    chunks = (passage.chunk for passage in found.passages)
    return Explanation(
        list(dict.fromkeys(retrieval.analyzer.terms(found.query))),
        retrieval.plan,
        [retrieval.matched_terms(found.query, chunk) for chunk in chunks],
    )


def print_explanation(found: RerankedPassages, explanation: Explanation) -> None:
    """Print where each passage stood in each leg, and by what it was found."""
    table = new_table("#", "document", *LEGS, "matched terms")
    both = zip(found.passages, explanation.matched, strict=True)
    for rank, (passage, matched) in enumerate(both, start=1):
        placings = (_placing(passage.placings.get(leg)) for leg in LEGS)
        document = clean(passage.chunk.document_id)
        table.add_row(str(rank), document, *placings, clean(" ".join(matched)))
    click.echo()
    if found.passages:
        print_table(table)
        click.echo()
    click.echo(clean(f"terms looked for: {' '.join(explanation.terms) or 'none'}"))
    click.echo(f"fused by {plan_text(explanation.plan)}; rerank: {found.status}")


def plan_text(plan: FusionPlan) -> str:
    """Settings of fusion in a phrase."""
    constant = f", rank constant {plan.rank_constant}" if plan.kind == "rrf" else ""
    return f"{plan.kind}, dense weight {plan.dense_weight}{constant}, depth {plan.candidate_k}"


def _placing(placing: Placing | None) -> str:
    return f"#{placing.rank} {placing.score:.3f}" if placing else "–"
