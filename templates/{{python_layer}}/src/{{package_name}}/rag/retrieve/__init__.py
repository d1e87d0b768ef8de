"""The seam: what the service knows enters a request here and nowhere else."""

from .dense import search_dense
from .fusion import FusionPlan, fuse
from .keyword import search_keyword

__all__ = ["FusionPlan", "fuse", "search_dense", "search_keyword"]
