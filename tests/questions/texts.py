"""Texts that break templates, random ones, and what an answer may be, said a second time."""

import re
import unicodedata

from hypothesis import strategies as st
from reserved_words import as_package, reserved_words

HOSTILE = [
    "\"quotes\" and 'quotes'",
    '"""',
    "back\\slash \\n \\u0041 \\",
    "emoji 👩‍👩‍👧‍👦 🇩🇪 𝕏",
    "{{ project_name }} {% raw %} {# x #}",
    "${{ github.token }} $(id) `id` ${HOME}",
    "# heading",
    "key: value # comment",
    "- item",
    "-- --trust",
    "> quote | pipe & <b>bold</b> ![x](y) [^1] ~~z~~ _a_ **b**",
    "1. one",
    "&lt;b&gt; &#35; &copy; AT&T",
    "<https://example.org> <b>",
    "--- ",
    "===",
    "../x",
    "class",
    "json",
    "NUL",
    "",
    " ",
    "two\nlines",
    "trailing\n",
    "carriage\rreturn",
    "nul\x00byte",
    "escape\x1b[31m",
    "delete\x7f",
    "next\x85line",
    "separator\u2028line",
    "bidi\u202eoverride",
    "mark\u200f",
    "lone\ud800surrogate",
    "\ufeffmark",
    "\ufffe",
    "x" * 200,
    "x" * 201,
    "x" * 500,
    "yes",
    "null",
    "1e3",
    "0x10",
    "!!python/object:os.system",
    "*anchor",
    "%directive",
    "@at",
    "𝒶" * 200,
]

REFUSED_CATEGORIES = {"Cc", "Cs", "Zl", "Zp"}
DIRECTION = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

ODD = st.sampled_from(
    "\"'\\{}%#$:\n\r\t-<>&|`*_[]()!~.,@=+ 🙂é\u0301中\u202e\u2028\x00\x85\ud800\ufffe"
)
ANY_TEXT = st.text(st.one_of(ODD, st.characters()), max_size=260)
WORDS = st.from_regex(r"\A[A-Za-z][A-Za-z0-9]{0,7}([ ._-][A-Za-z0-9]{1,6}){0,7}\Z")
ANY_NAME = st.one_of(WORDS, st.sampled_from(sorted(reserved_words())), ANY_TEXT)


def fits_a_line(text: str) -> bool:
    """What a description may be, said without the template's own pattern."""
    plain = not any(
        unicodedata.category(character) in REFUSED_CATEGORIES
        or character in DIRECTION
        or character in "\ufeff\ufffe\uffff"
        for character in text
    )
    return plain and 0 < len(text) <= 200 and text == text.strip()


def fits_a_project(name: str) -> bool:
    shape = re.fullmatch(r"[A-Za-z][A-Za-z0-9]*(?:[ ._-][A-Za-z0-9]+)*", name, re.ASCII)
    return bool(shape) and len(name) <= 50 and as_package(name) not in reserved_words()


LINES = st.one_of(st.sampled_from(HOSTILE), ANY_TEXT).filter(fits_a_line)
