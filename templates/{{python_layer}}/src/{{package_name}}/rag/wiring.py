"""Settings -> adapters, for the composition roots; nothing of generation is imported."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import cache

from .analysis import ANALYSIS_VERSION, Analyzer, detect_language
from .chunk import CHUNKER_VERSION
from .config import Settings
from .contracts import EmbedderIdentity, Reranker, Vector
from .embed import TextEmbedder, build_embedder
from .errors import IndexMissingError
from .rerank import build_reranker
from .store import Manifest, SqliteStore, open_store, read_manifest, verify_index

DETECT = "auto"
PROBE_TEXT = "The quick brown fox jumps over the lazy dog."
_LANGUAGE = "analysis.language"


def embedder_from(settings: Settings) -> TextEmbedder:
    """The embedder that the settings name; its model is loaded when it is first used."""
    return build_embedder(
        settings.embedding,
        model=settings.embedding_model,
        dimensions=settings.embedding_dimensions,
        base_url=settings.embedding_base_url,
        api_key=settings.embedding_api_key,
        query_prefix=settings.embedding_query_prefix,
        document_prefix=settings.embedding_document_prefix,
        batch_texts=settings.embedding_batch_texts,
        batch_tokens=settings.embedding_batch_tokens,
        max_tokens=settings.embedding_max_tokens,
        timeout_s=settings.embedding_timeout_s,
    )


def reranker_from(settings: Settings, embedder: TextEmbedder) -> Reranker | None:
    """The reranker that the settings name, or None for the fused order as it is."""
    return build_reranker(
        settings.rerank,
        model=settings.rerank_model,
        url=settings.rerank_url,
        api_key=settings.rerank_api_key,
        timeout_s=settings.rerank_timeout_s,
        embedder=embedder,
    )


def language_of_index(settings: Settings) -> str:
    """The language of stemming and stop words that the existing index was built with.

    Raises:
        IndexMissingError: the setting is `auto` and there is no index to tell.
    """
    if settings.language != DETECT:
        return settings.language
    manifest = read_manifest(settings.index_path)
    if manifest is None or _LANGUAGE not in manifest.entries:
        raise IndexMissingError(f"no index at {settings.index_path}", fix="Run `index` first.")
    return json.loads(manifest.entries[_LANGUAGE])


def language_for_new_index(settings: Settings, texts: Iterable[str]) -> str:
    """The configured language, or the one that a sample of the texts is written in."""
    return detect_language(texts) if settings.language == DETECT else settings.language


def analyzer_for(language: str) -> Analyzer:
    """The analyzer of one language; an unknown language is a ConfigError."""
    return Analyzer(language)


def manifest_of(
    settings: Settings,
    identity: EmbedderIdentity,
    language: str,
    *,
    probe: Vector | None = None,
) -> Manifest:
    """Everything that must be equal for an index to be searched or continued.

    `probe` is the vector of `PROBE_TEXT`: it tells a model that changed under its name.
    """
    parts = {
        "analysis.version": ANALYSIS_VERSION,
        _LANGUAGE: language,
        "chunker.version": CHUNKER_VERSION,
        "chunker.chunk_chars": settings.chunk_chars,
        "chunker.chunk_overlap_chars": settings.chunk_overlap_chars,
        **{f"embedding.{name}": value for name, value in asdict(identity).items()},
    }
    entries = {name: json.dumps(value, ensure_ascii=False) for name, value in parts.items()}
    return Manifest(entries, None if probe is None else probe.tobytes())


def open_index(settings: Settings) -> SqliteStore:
    """The index to look at, whatever settings it was built with."""
    return open_store(settings.index_path, None)


def find_faults(settings: Settings, progress: Callable[[int, int], None]) -> list[str]:
    """What is wrong with the index file, in sentences; none when it is sound."""

    @cache
    def analyzer() -> Analyzer:
        return analyzer_for(language_of_index(settings))

    # Its language is asked once the index is open: what keeps it shut is a finding, too.
    return verify_index(
        settings.index_path, analyze=lambda text: analyzer().terms(text), progress=progress
    )
