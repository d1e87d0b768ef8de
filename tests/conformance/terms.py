"""Terms of texts in several languages, stems in all of them, and languages as detected."""

import json
from pathlib import Path

from acme_search.rag.analysis import LANGUAGES, Analyzer, detect_language, stemmer_of, stop_words

WORDS = json.loads(Path(__file__).with_name("words.json").read_text("utf-8"))
NOT_EVERYWHERE = ("porter", "dutch_porter")  # Snowball offers these to C alone
TEXTS = [
    "The pump's valves are running; getUserName calls rank_constant in HTTPServer2 (E-1234).",
    "C++ and C# and .NET: state-of-the-art, rock'n'roll, don't, O’Reilly’s v4.2.1 10.0.0.1",
    "the and of",
    "getURLs XMLHttpRequest iOS iPhone15Pro snake_case_name SCREAMING_CASE kebab-case a1b2",
    "Die Pumpe läuft über die Straßenbahnhaltestellen; STRASSE, Müller's Größe, weißes Fußball",
    "水泵排空水箱。我想退货 2024年 pump泵 ひらがなとカタカナ 한국어 검색 㐀 豈",
    "naïve façade Ångström Œuvre ﬁne ½ x² Ⅷ ＡＢＣ１２３ Ǆ ŉ ẞ ß ſ İstanbul ıssız",
    "Ελληνικά ΣΊΣΥΦΟΣ ς Привет ё й ᏣᎳᎩ ꭰ देवनागरी हिन्दी ภาษาไทย עִבְרִית اَلْعَرَبِيَّةُ தமிழ்",
    "𝒳 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 👩‍👩‍👧 😀smile 𐐀𐐨 a\u0301\u0323 e\u0345 \u0344",
    "a_b _x_ __init__ x__y 5kg 3,000 1e-5 'quoted' ’tis rock-’n’-roll trailing- -leading a.b. ++c",
    "\u00ad soft\u00adhyphen zero\u200bwidth no\u00a0break \ufeffmark line\u2028sep",
    "foo's FOO'S foo’S s' 's x'y'z e-mail re-use u.s.a. e.g. etc...",
    "",
    " \n",
]


def vectors() -> dict[str, object]:
    return {
        "terms": [
            {"language": language, "text": text, "terms": Analyzer(language).terms(text)}
            for language in ("english", "german", "none")
            for text in TEXTS
        ],
        "stems": {
            language: {word: stemmer_of(language)(word) for word in _words(language)}
            for language in LANGUAGES
            if language not in NOT_EVERYWHERE
        },
        "detected": [{"texts": texts, "language": detect_language(texts)} for texts in _samples()],
    }


def _words(language: str) -> list[str]:
    return [*WORDS.get(language, []), *sorted(stop_words().get(language, []))[::12]]


def _samples() -> list[list[str]]:
    listed = [" ".join(sorted(words)[::9]) for words in stop_words().values()]
    mixed = [[TEXTS[0], TEXTS[4]], [TEXTS[4], TEXTS[4], TEXTS[0]], [TEXTS[5]], [], ["", "42"]]
    return [*([text] for text in listed), *mixed]
