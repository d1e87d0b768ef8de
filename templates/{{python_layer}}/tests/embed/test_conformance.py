"""What every embedder keeps to; the fixture `embedder` is one of each kind in turn."""

import numpy as np
import pytest

TEXTS = [
    "The pump drains the tank in nine minutes.",
    "Refunds are paid within fourteen days.",
    "我想退货",
    "def rank(query: str) -> list[int]: ...",
    "👩‍👩‍👧‍👦 e\u0301 \x00 \u202e",
    "word " * 3000,
    "x",
    "!!!",
]


def test_there_is_one_unit_vector_for_each_text(embedder):
    vectors = embedder.embed_documents(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.identity.dimensions)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_a_vector_depends_neither_on_its_neighbours_nor_on_their_order(embedder):
    together = embedder.embed_documents(TEXTS)
    backwards = embedder.embed_documents(TEXTS[::-1])[::-1]
    alone = np.concatenate([embedder.embed_documents([text]) for text in TEXTS])
    np.testing.assert_allclose(together, backwards, atol=1e-5)
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_the_same_text_gives_the_same_vector(embedder):
    first, second = embedder.embed_documents([TEXTS[0]]), embedder.embed_documents([TEXTS[0]])
    assert first.tobytes() == second.tobytes()


def test_no_texts_give_no_vectors(embedder):
    assert embedder.embed_documents([]).shape == (0, embedder.identity.dimensions)


def test_queries_and_documents_share_a_space(embedder):
    query = embedder.embed_query(TEXTS[0])
    assert query.shape == (embedder.identity.dimensions,)
    assert query.dtype == np.float32
    similarities = embedder.embed_documents(TEXTS) @ query
    assert int(np.argmax(similarities)) == 0


def test_batches_come_in_order_and_together_are_everything(embedder):
    batches = np.concatenate(list(embedder.embed_batches(TEXTS)))
    np.testing.assert_array_equal(batches, embedder.embed_documents(TEXTS))


@pytest.mark.parametrize("blank", ["", " ", "\n\t"])
def test_a_blank_text_is_refused_with_its_number(embedder, blank):
    with pytest.raises(Exception, match="text 1 is blank") as caught:
        embedder.embed_documents(["good", blank])
    assert type(caught.value).__name__ == "EmbeddingError"


def test_a_query_may_hold_a_lone_surrogate(embedder):
    assert np.isfinite(embedder.embed_query("pump \ud800 tank")).all()


def test_token_vectors_are_given_or_their_lack_is_known(embedder):
    if not embedder.has_token_vectors:
        with pytest.raises(Exception, match="no vectors of single tokens"):
            embedder.embed_query_tokens("pump")
        return
    query = embedder.embed_query_tokens("the pump drains")
    documents = embedder.embed_document_tokens(TEXTS)
    assert query.shape[1] == embedder.identity.dimensions
    assert len(documents) == len(TEXTS)
    assert all(len(rows) and np.isfinite(rows).all() for rows in documents)
