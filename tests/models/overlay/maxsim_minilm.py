"""MaxSim over the token vectors of all-MiniLM-L6-v2."""

import pytest
from acme_search.rag.embed import build_embedder
from acme_search.rag.rerank import build_reranker, rerank


@pytest.fixture(scope="module")
def reranker():
    embedder = build_embedder("fastembed", model="minilm")
    return build_reranker("maxsim", embedder=embedder, timeout_s=60)


def test_the_passage_that_answers_is_lifted(reranker, make_passage):
    candidates = [
        make_passage("a", "Opening hours are nine to five, Monday to Friday.", 3),
        make_passage("b", "The warranty does not cover damage by frost.", 2),
        make_passage("c", "Customers are reimbursed within fourteen days.", 1),
    ]
    reranked = rerank(
        "how long until I get my money back", candidates, reranker=reranker, weight=1, top_n=1
    )
    assert (reranked.passages[0].chunk.id, reranked.status) == ("c", "ok")


def test_a_passage_longer_than_the_model_takes_is_read_to_its_end(reranker, make_passage):
    filler = "The office is closed on public holidays. " * 60
    short, long = make_passage("a", filler, 1), make_passage("b", filler + "Frost breaks pumps.", 1)
    scores = reranker.score("frost damage to a pump", [short, long])
    assert scores[1] > scores[0] + 0.1
