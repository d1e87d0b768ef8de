"""Text -> vectors. The provider is chosen by `build_embedder`, and named nowhere else."""

from .build import build_embedder
from .cache import CachedEmbedder
from .embedder import TextEmbedder
from .validation import validated

__all__ = ["CachedEmbedder", "TextEmbedder", "build_embedder", "validated"]
