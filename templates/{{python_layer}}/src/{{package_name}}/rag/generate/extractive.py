"""Answers without a model, by quoting the sentences that share most with the question."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..contracts import Passage, Prompt, Reply
from .reply import DECLINED, CitedQuote, encode_reply
from .sentences import split_sentences

MOST_QUOTES = 3
"""An answer has no more than this."""

QUOTE_CHARS = 320
"""A quote runs on through its paragraph while it is no longer than this."""

WORTH_ADDING = 0.4
"""Share of the first sentence's score that a further one must reach."""

LEAST_COVER = 0.5
"""Share of the question, by rarity of its terms, that the first sentence's passage must hold."""

NEARBY_SHARE = 0.3
"""What a term of the question counts when the passage holds it beside the sentence, not in it."""

RANK_DISCOUNT = 0.3

_STOP_WORDS = frozenset(
    "a about am an and any are as at be been by can could did do does for from had has have how i "
    "if in is it its me my of on or our shall should that the their them there these they this "
    "those to was we were what when where which who whom whose why will with would you your".split()
)


@dataclass(frozen=True, slots=True)
class _Sentence:
    number: int
    quote: str
    text: str
    terms: frozenset[str]
    nearby: frozenset[str]


def plain_terms(text: str) -> list[str]:
    """Case-folded words without English stop words; for want of the index's own analysis."""
    words = re.findall(r"\w+", text.casefold())
    return [word for word in words if word not in _STOP_WORDS] or words


class ExtractiveGenerator:
    """Quotes sentences whose rare terms the question shares, with what follows them.

    It declines when no sentence shares any, or when the passage of the best sentence holds less
    than half of what is asked. `terms` should be the analysis that the index was built with: it
    knows the language.
    """

    def __init__(self, terms: Callable[[str], list[str]] = plain_terms) -> None:
        self._terms = terms

    def generate(self, prompt: Prompt, question: str, passages: Sequence[Passage]) -> Reply:
        """Cite up to `MOST_QUOTES`, each for terms that the ones before it lack."""
        sentences = self._sentences(passages)
        rarity = _rarity(frozenset(self._terms(question)), sentences)
        chosen = _choose(sentences, rarity)
        if not chosen or _cover(chosen[0], rarity) < LEAST_COVER:
            return Reply(DECLINED)
        said = " ".join(f"{' '.join(one.quote.split())} [{one.number}]" for one in chosen)
        return Reply(encode_reply(said, [CitedQuote(one.number, one.quote) for one in chosen]))

    def _sentences(self, passages: Sequence[Passage]) -> list[_Sentence]:
        found: list[_Sentence] = []
        for number, passage in enumerate(passages, start=1):
            nearby = frozenset(self._terms(passage.chunk.representation))
            whole = passage.chunk.text
            spans = list(split_sentences(whole))
            for at, (start, end) in enumerate(spans):
                text = whole[start:end]
                if any(character.isalnum() for character in text):
                    terms = frozenset(self._terms(text))
                    quote = whole[start : _quote_end(whole, spans[at:])]
                    found.append(_Sentence(number, quote, text, terms, nearby - terms))
        return found


def _quote_end(text: str, spans: Sequence[tuple[int, int]]) -> int:
    """Where a quote from the first of `spans` ends: in its paragraph, after a whole sentence."""
    first, end = spans[0]
    for start, until in spans[1:]:
        if (
            until - first > QUOTE_CHARS
            or not text[end:start].isspace()
            or "\n\n" in text[end:start]
        ):
            break
        end = until
    return end


def _rarity(asked: frozenset[str], sentences: Sequence[_Sentence]) -> dict[str, float]:
    """Weight each term of the question by how few sentences hold it."""
    holding = Counter(term for sentence in sentences for term in sentence.terms & asked)
    return {t: math.log(1 + len(sentences) / (1 + holding[t])) for t in sorted(asked)}


def _choose(sentences: Sequence[_Sentence], rarity: dict[str, float]) -> list[_Sentence]:
    chosen: list[_Sentence] = []
    remaining: list[_Sentence] = list(sentences)
    least = 0.0
    while remaining and len(chosen) < MOST_QUOTES:
        best = max(remaining, key=lambda sentence: _score(sentence, rarity))
        score = _score(best, rarity)
        if score <= least:
            break
        least = least or WORTH_ADDING * score
        chosen.append(best)
        remaining = [one for one in remaining if one.text not in best.quote]
        rarity = {term: rarity[term] for term in rarity if term not in best.terms}
    return chosen


def _cover(sentence: _Sentence, rarity: dict[str, float]) -> float:
    """Share of the question that the sentence's passage holds."""
    held = sum(rarity[term] for term in rarity if term in sentence.terms | sentence.nearby)
    return held / sum(rarity.values())


def _score(sentence: _Sentence, rarity: dict[str, float]) -> float:
    """Weight of the terms shared, less for length and for the passage's rank; 0: none is."""
    shared = sum(rarity[term] for term in rarity if term in sentence.terms)
    nearby = sum(rarity[term] for term in rarity if term in sentence.nearby) if shared else 0.0
    length = math.log(8 + len(sentence.terms))
    return (shared + NEARBY_SHARE * nearby) / (length * (1 + RANK_DISCOUNT * (sentence.number - 1)))
