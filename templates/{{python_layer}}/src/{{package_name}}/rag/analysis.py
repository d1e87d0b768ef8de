"""Text -> index terms: one function for chunks and for queries."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import cast

import Stemmer

from .errors import ConfigError

ANALYSIS_VERSION = 1
"""Part of the index's manifest: raise it when the same text would give other terms."""

LANGUAGES: tuple[str, ...] = tuple(Stemmer.algorithms())  # pyright: ignore
NO_LANGUAGE = "none"
_FALLBACK_LANGUAGE = "english"
_MEMO_SIZE = 300_000
_SAMPLE_CHARS = 20_000
_LEAST_SHARE = 0.08

# Scripts written without spaces; their runs become overlapping bigrams.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_LETTER = rf"[^\W{_CJK}]"
_SURFACE = re.compile(rf"[{_CJK}]+|{_LETTER}+(?:['’.-]{_LETTER}+)*(?:\+\+|\#)?")
_ASCII_SURFACE = re.compile(r"\w+(?:['.-]\w+)*(?:\+\+|\#)?", re.ASCII)
_CJK_RUN = re.compile(f"[{_CJK}]")
_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_HYPHENATED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)


class Analyzer:
    """Splits text into terms for one language of stemming and stop words.

    Terms are NFKC, case-folded and without diacritics. Identifiers are kept whole and in
    parts (`getUserName`, `rank_constant`, `E-1234`), runs of Chinese, Japanese and Korean
    become bigrams, words are stemmed by Snowball, and stop words are left out unless the
    text holds nothing else.
    """

    def __init__(self, language: str) -> None:
        """Prepare for a Snowball language, or `none` for neither stems nor stop words.

        Raises:
            ConfigError: Snowball has no such language.
        """
        if language != NO_LANGUAGE and language not in LANGUAGES:
            known = ", ".join((NO_LANGUAGE, *LANGUAGES))
            raise ConfigError(f"no language {language!r}", fix=f"Choose one of: auto, {known}.")
        self.language = language
        self._stem = str if language == NO_LANGUAGE else stemmer_of(language)
        self._stop_words = stop_words().get(language, frozenset())
        self._content = _Memo(self._content_of)

    def terms(self, text: str) -> list[str]:
        """Terms in the order of the text, repeats kept."""
        folded = fold(text)
        surfaces = (_ASCII_SURFACE if folded.isascii() else _SURFACE).findall(folded)
        content = list(chain.from_iterable(map(self._content.__getitem__, surfaces)))
        return content or [
            self._stem(word) for surface in surfaces for word in _surface_words(surface)
        ]

    def _content_of(self, surface: str) -> tuple[str, ...]:
        words = _surface_words(surface)
        return tuple(self._stem(word) for word in words if word not in self._stop_words)


class _Memo(dict[str, tuple[str, ...]]):
    """Remembers what `make` returned; starts over when it holds `_MEMO_SIZE` results."""

    def __init__(self, make: Callable[[str], tuple[str, ...]]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: str) -> tuple[str, ...]:
        if len(self) >= _MEMO_SIZE:
            self.clear()
        made = self[key] = self._make(key)
        return made


def stemmer_of(language: str) -> Callable[[str], str]:
    """Stems words of letters in a Snowball language; leaves other terms as they are."""
    stem = cast("Callable[[str], str]", Stemmer.Stemmer(language, 0).stemWord)  # pyright: ignore
    return lambda word: stem(word) if word.isalpha() else word


def fold(text: str) -> str:
    """Normalise to NFKC without combining marks; case stays, since it marks word parts."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    bare = "".join(mark for mark in decomposed if not unicodedata.combining(mark))
    return unicodedata.normalize("NFKC", bare)


def _surface_words(surface: str) -> list[str]:
    """The whole identifier, if it is more than a word, then its parts; bigrams of CJK."""
    if surface.isalpha() and (surface.islower() or surface.istitle()):
        return [surface.casefold()]
    if _CJK_RUN.match(surface):
        return [surface[at : at + 2] for at in range(max(1, len(surface) - 1))]
    surface = _POSSESSIVE.sub("", surface).replace("'", "").replace("’", "")
    words = _WORD.findall(surface)
    parts: list[str] = []
    for word in words:
        humps = _CAMEL.findall(word) if word.isascii() and not word.isupper() else []
        if len(humps) > 1 and not word.islower() and word[1:] != word[1:].lower():
            parts += [word] if len(words) > 1 else []
            parts += humps
        else:
            parts.append(word)
    if parts != [surface] and not _HYPHENATED.fullmatch(surface):
        parts.insert(0, surface)
    return [part.casefold() for part in parts]


@lru_cache(maxsize=1)
def stop_words() -> dict[str, frozenset[str]]:
    """Stop words by language. Source: the Snowball project's lists."""
    lists = json.loads(Path(__file__).with_name("stopwords.json").read_text("utf-8"))
    return {name: frozenset(fold(words).casefold().split()) for name, words in lists.items()}


def detect_language(texts: Iterable[str]) -> str:
    """The language whose stop words the texts use most; English when they hardly use any.

    Each text counts by its share of stop words, so that one long text outvotes nobody. Code
    and Chinese use few: code is searched in English mostly, and Chinese has no stems to lose.
    """
    shares = dict.fromkeys(stop_words(), 0.0)
    weight = 0.0
    for text in texts:
        words = [word.casefold() for word in _WORD.findall(fold(text[:_SAMPLE_CHARS]))]
        if not words:
            continue
        weight += 1
        for language, listed in stop_words().items():
            shares[language] += sum(word in listed for word in words) / len(words)
    language = max(shares, key=lambda name: (shares[name], name))
    return language if shares[language] > _LEAST_SHARE * weight else _FALLBACK_LANGUAGE
