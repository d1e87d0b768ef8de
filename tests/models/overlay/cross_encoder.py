"""A cross-encoder whose score is how often the passage says `pump`, made here."""

import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import onnx
import pytest
from acme_search.rag.errors import RerankError
from acme_search.rag.rerank import build_reranker, rerank
from acme_search.rag.rerank.cross_encoder import CrossEncoderReranker
from onnx import TensorProto, helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "pump", "tank", "the", "drains"]


def write_model(path):
    """Sum over positions of (id is `pump`) times (the position belongs to the passage)."""
    names = ("input_ids", "attention_mask", "token_type_ids")
    shape = ["batch", "sequence"]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in names]
    logits = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 1])
    constants = [
        helper.make_tensor("pump", TensorProto.INT64, [1], [WORDS.index("pump")]),
        helper.make_tensor("last_axis", TensorProto.INT64, [1], [1]),
    ]
    nodes = [
        helper.make_node("Equal", ["input_ids", "pump"], ["is_pump"]),
        helper.make_node("Cast", ["is_pump"], ["ones"], to=TensorProto.INT64),
        helper.make_node("Mul", ["ones", "token_type_ids"], ["in_passage"]),
        helper.make_node("ReduceSum", ["in_passage", "last_axis"], ["count"], keepdims=1),
        helper.make_node("Cast", ["count"], ["logits"], to=TensorProto.FLOAT),
    ]
    graph = helper.make_graph(nodes, "pumps", inputs, [logits], initializer=constants)
    opset = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=9), path)


def write_tokenizer(folder, max_length):
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    beside = {"model_max_length": max_length, "pad_token": "[PAD]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(beside))
    (folder / "config.json").write_text('{"pad_token_id": 0}')
    (folder / "special_tokens_map.json").write_text('{"pad_token": "[PAD]"}')


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("cross-encoder")
    write_model(made / "model.onnx")
    write_tokenizer(made, max_length=32)
    return made


@pytest.fixture
def reranker(folder):
    return build_reranker("cross-encoder", model=str(folder))


suite = spec_from_file_location("suite", Path(__file__).with_name("test_conformance.py"))
conformance = module_from_spec(suite)
suite.loader.exec_module(conformance)
globals().update({name: test for name, test in vars(conformance).items() if name[:5] == "test_"})


def test_scores_are_the_models_and_passages_stay_in_order(reranker, make_passage):
    texts = ["the tank", "pump pump", "the pump drains", "pump " * 5]
    passages = [make_passage(f"c{at}", text, 1) for at, text in enumerate(texts)]
    assert reranker.score("pump pump pump", passages) == [0, 2, 1, 5]


def test_a_passage_that_is_too_long_is_counted_and_logged(reranker, make_passage, caplog):
    passages = [make_passage("a", "pump " * 500, 1), make_passage("b", "pump", 1)]
    scores = reranker.score("tank", passages)
    assert 20 < scores[0] < 32
    assert reranker.oversized == 1
    assert "rerank.oversized passages=1 limit=32" in caplog.text


def test_past_the_deadline_the_fused_order_is_kept(folder, candidates):
    ticks = iter(range(99))
    reranker = CrossEncoderReranker(str(folder), timeout_s=2.5, clock=lambda: next(ticks))
    reranked = rerank("pump", candidates, reranker=reranker, weight=1, top_n=9)
    assert reranked.status == "degraded: the cross-encoder scored 3 of 5 passages in 2.5 s"
    assert reranked.passages == tuple(candidates)


def test_a_folder_without_a_model_and_an_unknown_name_are_refused(tmp_path):
    for model in (str(tmp_path), "nobody/nothing"):
        with pytest.raises(RerankError, match="can't load .*\n.*a folder that holds one"):
            build_reranker("cross-encoder", model=model)
