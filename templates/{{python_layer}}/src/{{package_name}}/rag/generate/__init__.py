"""Writes an answer from passages it is handed; it can't fetch any itself."""

from .answer import answer
from .providers import build_generator

__all__ = ["answer", "build_generator"]
