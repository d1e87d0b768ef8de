"""Question and reranked passages -> an answer that cites them, or a refusal."""

from collections.abc import Callable

from ..contracts import Answer, Generator, Refusal, RerankedPassages, require_reranked
from .parse import parse_reply
from .prompt import build_prompt, new_nonce


def answer(
    question: str,
    passages: RerankedPassages,
    *,
    generator: Generator,
    min_similarity: float,
    make_nonce: Callable[[], str] = new_nonce,
) -> Answer | Refusal:
    """Answer from the passages alone.

    The model is called only when there are passages, and when one of those whose similarity to
    the question is known reaches `min_similarity`.

    Raises:
        TypeError: `passages` is not what `rerank()` returned.
        GenerationError: the model could not be reached.
    """
    supplied = require_reranked(passages).passages
    if not supplied:
        return Refusal("no_passages", "no passage was found for the question")
    known = [p.similarity for p in supplied if p.similarity is not None]
    if known and max(known) < min_similarity:
        return Refusal(
            "low_relevance",
            f"the nearest passage has similarity {max(known):.3f}, below {min_similarity:.3f}",
        )
    prompt = build_prompt(question, supplied, make_nonce=make_nonce)
    return parse_reply(generator.generate(prompt, question, supplied), supplied)
