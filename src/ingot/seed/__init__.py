"""A small believable world for trying things out: `ingot serve --demo`."""

from ingot.seed.world import plant

__all__ = ["plant"]
