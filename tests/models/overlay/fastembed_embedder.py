"""FastEmbed with all-MiniLM-L6-v2 from the folder `minilm`."""

import shutil
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest
from acme_search.rag.embed import build_embedder
from acme_search.rag.errors import ConfigError, EmbeddingError

MINILM = Path("minilm")


@pytest.fixture(scope="module")
def minilm():
    return build_embedder("fastembed", model=str(MINILM))


@pytest.fixture
def embedder(minilm):
    return minilm


suite = spec_from_file_location("suite", Path(__file__).with_name("test_conformance.py"))
conformance = module_from_spec(suite)
suite.loader.exec_module(conformance)
globals().update({name: test for name, test in vars(conformance).items() if name[:5] == "test_"})


def reference(text, pool=lambda states: states.mean(axis=0)):
    """The vector by ONNX Runtime and the tokenizer alone."""
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(MINILM / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    ids = np.array([tokenizer.encode(text).ids], dtype=np.int64)
    inputs = {
        "input_ids": ids,
        "attention_mask": np.ones_like(ids),
        "token_type_ids": np.zeros_like(ids),
    }
    (states,) = InferenceSession(str(MINILM / "model.onnx")).run(None, inputs)
    vector = pool(states[0])
    return vector / np.linalg.norm(vector)


def test_vectors_are_the_mean_of_the_last_hidden_states(minilm):
    text = "The pump drains the tank in nine minutes."
    np.testing.assert_allclose(minilm.embed_query(text), reference(text), atol=1e-5)


def test_paraphrases_are_near_and_other_topics_far(minilm):
    near, far = minilm.embed_documents(
        ["Customers get their money back in 14 days.", "The pump is driven by a belt."]
    )
    query = minilm.embed_query("how long does a refund take")
    assert query @ near > query @ far + 0.3


def test_a_text_of_more_than_256_tokens_is_averaged_and_counted(minilm):
    before = minilm.oversized
    beginning, end = "The pump drains the tank. " * 60, "Refunds take two weeks. " * 60
    whole = minilm.embed_documents([beginning + end])[0]
    assert minilm.oversized == before + 1
    halves = minilm.embed_documents([beginning[:500], end[:500]])
    assert (halves @ whole > 0.6).all()


def test_tokens_have_vectors_of_the_last_layer_without_the_special_ones(minilm):
    text = "pump drains tank"
    states = []
    reference(text, pool=lambda rows: states.append(rows) or rows.mean(axis=0))
    (tokens,) = minilm.embed_document_tokens([text])
    np.testing.assert_allclose(tokens, states[0][1:-1], atol=1e-4)


def test_no_token_of_a_long_text_is_left_out(minilm):
    (tokens,) = minilm.embed_document_tokens(["pump " * 1000])
    assert len(tokens) == 1000


def copy(tmp_path, name="copy"):
    return Path(shutil.copytree(MINILM, tmp_path / name / "minilm"))


def test_a_folder_is_known_by_its_content_wherever_it_lies(minilm, tmp_path):
    moved, changed = copy(tmp_path), copy(tmp_path, "changed")
    tokenizer = changed / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text() + "\n")
    assert build_embedder("fastembed", model=str(moved)).identity == minilm.identity
    assert build_embedder("fastembed", model=str(changed)).identity != minilm.identity


def test_the_pooling_that_a_folder_asks_for_is_used(minilm, tmp_path):
    folder = copy(tmp_path)
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    first = build_embedder("fastembed", model=str(folder))
    text = "The pump drains the tank."
    expected = reference(text, pool=lambda states: states[0])
    np.testing.assert_allclose(first.embed_query(text), expected, atol=1e-5)
    assert first.identity != minilm.identity


def test_an_empty_folder_a_broken_model_and_an_unknown_name_are_refused(tmp_path):
    broken, empty = copy(tmp_path), tmp_path / "empty"
    (broken / "model.onnx").write_bytes(b"nonsense")
    empty.mkdir()
    for model in (str(empty), str(broken), "nobody/nothing"):
        with pytest.raises(EmbeddingError, match="can't load .*\n.*a folder that holds one"):
            _ = build_embedder("fastembed", model=model).identity


def test_dimensions_are_the_models_own(minilm):
    assert minilm.identity.dimensions == 384
    with pytest.raises(ConfigError, match="Set them to 0"):
        build_embedder("fastembed", model=str(MINILM), dimensions=100)
