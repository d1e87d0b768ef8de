"""nDCG@10 on judged collections, as the rendered service measures and serves it.

The floors are below what was measured, and above what a fault in a retriever leaves. Reranking
by a local model takes minutes a collection: `benchmarks/quality.py` measures it.
"""

from collections.abc import Mapping
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("quality")]

KEYWORD = {"scifact": 0.680, "scifact_mini": 0.790, "clapnq": 0.940, "xquad_zh": 0.950}
OFFLINE = {"scifact": 0.695, "scifact_mini": 0.800, "clapnq": 0.960, "xquad_zh": 0.950}
STRONG = {
    ("scifact", "minilm"): 0.725,
    ("scifact_mini", "minilm"): 0.835,
    ("clapnq", "minilm"): 0.985,
    ("xquad_zh", "me5small_q4"): 0.970,
}
LEGS = ("dense-only", "keyword-only")


def scores(found: Mapping[str, Any]) -> dict[str, float]:
    return {row["name"]: row["measures"]["nDCG@10"] for row in found["rows"]}


def loss(found: Mapping[str, Any]) -> float:
    """How far what is served lies below the better leg."""
    by_row = scores(found)
    return max(by_row[leg] for leg in LEGS) - by_row[found["served"]]


@pytest.mark.parametrize("collection", KEYWORD)
def test_the_default_service_reaches_its_floors(collection: str, measure):
    found = measure(collection)
    assert scores(found)["keyword-only"] >= KEYWORD[collection]
    assert scores(found)[found["served"]] >= OFFLINE[collection]
    assert loss(found) <= 0.01


@pytest.mark.parametrize("frozen", STRONG, indirect=True, ids="-".join)
def test_fusion_with_a_stronger_model_reaches_its_floor(frozen, measure):
    found = measure(frozen.folder, **frozen.settings)
    assert scores(found)[found["served"]] >= STRONG[frozen.name, frozen.model]
    assert loss(found) <= 0.01


UNEVEN = {
    "scifact_mini": {"embedding": "wordllama", "dense_weight": 0.9},
    "clapnq": {"embedding": "hash", "fusion": "rrf", "dense_weight": 0.5},
    "xquad_zh": {"embedding": "wordllama", "fusion": "rrf", "dense_weight": 0.5},
}


@pytest.mark.parametrize("collection", UNEVEN)
def test_after_tuning_fusion_is_not_below_its_better_leg(collection: str, measure):
    uneven = UNEVEN[collection]
    assert loss(measure(collection, **uneven)) > 0.02
    tuned = measure(collection, "tune", **uneven)["settings"]
    assert tuned
    assert loss(measure(collection, **(uneven | tuned))) <= 0.005


def test_equal_runs_measure_the_same(measure):
    first = measure("scifact_mini")
    again = measure("scifact_mini", fusion="convex")
    assert scores(first) == scores(again)
    assert first["fingerprints"] == again["fingerprints"]
