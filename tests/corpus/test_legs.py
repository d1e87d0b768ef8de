"""The golden queries tell the retrievers apart, measured on the default service as it is served."""

import json
import os
import random
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from ir_measures import Qrel, ScoredDoc, nDCG

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("service")]


@pytest.fixture(scope="session")
def evaluation(service: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """What `eval --json` prints about the sample corpus, indexed in a folder of its own."""
    env = {**os.environ, "RAG_INDEX_DIR": str(tmp_path_factory.mktemp("index"))}
    command = service / ".venv" / "bin" / "acme-search"
    subprocess.run([command, "index"], cwd=service, env=env, check=True, capture_output=True)
    done = subprocess.run(
        [command, "eval", "--json"], cwd=service, env=env, check=True, capture_output=True
    )
    return json.loads(done.stdout)


@pytest.fixture(scope="session")
def rows(evaluation: Mapping[str, Any]) -> Mapping[str, Any]:
    return {row["name"]: row for row in evaluation["rows"]}


def test_keyword_wins_the_exact_tokens(rows: Mapping[str, Any]):
    keyword, dense = (
        rows[name]["slices"]["exact-token"] for name in ("keyword-only", "dense-only")
    )
    assert keyword > 0.9
    assert keyword > dense + 0.15


def test_dense_wins_the_paraphrases(rows: Mapping[str, Any]):
    keyword, dense = (rows[name]["slices"]["paraphrase"] for name in ("keyword-only", "dense-only"))
    assert dense > 0.8
    assert dense > keyword + 0.3


def test_what_is_served_is_not_below_its_better_leg(
    rows: Mapping[str, Any], evaluation: Mapping[str, Any]
):
    served = rows[evaluation["served"]]["measures"]["nDCG@10"]
    assert served >= max(
        rows[name]["measures"]["nDCG@10"] for name in ("keyword-only", "dense-only")
    )


def test_no_slice_is_so_easy_that_both_legs_are_perfect(rows: Mapping[str, Any]):
    for name in rows["dense-only"]["slices"]:
        assert min(rows[leg]["slices"][name] for leg in ("keyword-only", "dense-only")) < 0.99


def test_a_random_order_scores_near_the_floor_that_is_printed(
    service: Path, evaluation: Mapping[str, Any]
):
    documents = [
        path.relative_to(service / "evals/corpus").as_posix()
        for path in sorted((service / "evals/corpus").rglob("*.*"))
    ]
    lines = (service / "evals/golden/queries.jsonl").read_text(encoding="utf-8").splitlines()
    queries = [query for query in map(json.loads, lines) if query["relevant"]]
    rng = random.Random(7)
    orders = 200
    qrels = [
        Qrel(f"{query['id']} {order}", name, grade)
        for query in queries
        for order in range(orders)
        for name, grade in query["relevant"].items()
    ]
    run = [
        ScoredDoc(f"{query['id']} {order}", name, -rank)
        for query in queries
        for order in range(orders)
        for rank, name in enumerate(rng.sample(documents, 10))
    ]
    scored = ir_measures.calc_aggregate([nDCG @ 10], qrels, run)[nDCG @ 10]
    assert scored == pytest.approx(evaluation["random"]["nDCG@10"], abs=0.01)


def test_every_retriever_is_far_above_a_random_order(
    rows: Mapping[str, Any], evaluation: Mapping[str, Any]
):
    floor = evaluation["random"]["nDCG@10"]
    assert floor < 0.2
    assert all(row["measures"]["nDCG@10"] > 3 * floor for row in rows.values())


def test_questions_off_the_topic_are_refused_and_no_answerable_one_is(
    evaluation: Mapping[str, Any],
):
    refusals = evaluation["refusals"]
    assert refusals["slices"]["unanswerable-off-topic"]["refused"] == 1
    assert refusals["answerable"]["refused"] == 0
