"""The table of settings, and what the text of a variable is read as.

Settings whose default a question of the template sets have none here, since it differs from
service to service; so do the choices of settings whose adapters differ between languages.
"""

from acme_search.rag.config import (
    ENV_PREFIX,
    Settings,
    allowed,
    env_name,
    load_settings,
    reason,
)
from acme_search.rag.errors import ConfigError
from msgspec.structs import fields

ANSWERED = {
    "chunk_chars",
    "chunk_overlap_chars",
    "embedding",
    "candidate_k",
    "dense_weight",
    "rrf_k",
    "rerank",
    "rerank_top_n",
    "generation",
    "min_similarity",
}
BY_LANGUAGE = {"embedding", "rerank"}

NUMBERS = [
    *("500", "0500", "+500", " 500", "500 ", "5_00", "5e2", "500.0", "500.5", "-500", "-0", ""),
    *("0", "1", "0.5", ".5", "5.", "1e-3", "1E3", "1e400", "1e-400", "0x10", "nan", "inf", "ten"),
    *("٥٠٠", "500\n", "0.50", "-0.0", "1.0000000000000000001", "20000", "20001", "99"),
]
TEXTS = {
    "fusion": ["rrf", "RRF", " rrf", "", "it's", 'a "word"', "a\\b\t\x00\u2028\U000e0001é"],
    "language": ["", "german", "no 'such' \"thing\""],
}


def vectors() -> dict[str, object]:
    cases = [
        (setting, text)
        for setting in ("chunk_chars", "rrf_k", "bm25_k1", "dense_weight", "rerank_timeout_s")
        for text in NUMBERS
    ]
    cases += [(setting, text) for setting, texts in TEXTS.items() for text in texts]
    return {
        "settings": [_setting(field.name, field.default) for field in fields(Settings)],
        "variables": [_variable(setting, text) for setting, text in cases],
    }


def _setting(name: str, default: object) -> dict[str, object]:
    row: dict[str, object] = {
        "name": name,
        "variable": env_name(name).removeprefix(ENV_PREFIX),
        "reason": reason(name),
    }
    if name not in BY_LANGUAGE:
        row["allowed"] = allowed(name)
    if name not in ANSWERED:
        row["default"] = default
    return row


def _variable(setting: str, text: str) -> dict[str, object]:
    # A chunk as long as can be, so that no overlap is too long for it.
    environ = {env_name("chunk_overlap_chars"): "0", env_name(setting): text}
    row: dict[str, object] = {"setting": setting, "text": text}
    try:
        return {**row, "value": getattr(load_settings(environ), setting)}
    except ConfigError as error:
        return {**row, "error": error.what.removeprefix(ENV_PREFIX)}
