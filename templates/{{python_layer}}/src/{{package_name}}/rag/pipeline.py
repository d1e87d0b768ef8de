"""Composition root of answering: retrieval, then generation from what it returned."""

from .config import Settings
from .contracts import Answer, Filter, Refusal, RerankedPassages
from .generate import answer, build_generator
from .retrieval import open_retrieval


def ask(
    settings: Settings, question: str, *, where: Filter | None = None
) -> tuple[Answer | Refusal, RerankedPassages]:
    """Answer a question from the index, or refuse, and return the passages beside it.

    Raises:
        StoreError: the index can't be searched.
        GenerationError: the model could not be reached.
    """
    with open_retrieval(settings) as retrieval:
        passages, terms = retrieval.search(question, where=where), retrieval.analyzer.terms
    generator = build_generator(
        settings.generation,
        model=settings.generation_model,
        base_url=settings.generation_base_url,
        api_key=settings.generation_api_key,
        max_tokens=settings.generation_max_tokens,
        timeout_s=settings.generation_timeout_s,
        terms=terms,
    )
    reply = answer(question, passages, generator=generator, min_similarity=settings.min_similarity)
    return reply, passages
