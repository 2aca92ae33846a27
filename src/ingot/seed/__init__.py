"""Demo data: `ingot serve --demo`."""

from ingot.seed.people import Person
from ingot.seed.runner import DemoRunner
from ingot.seed.world import plant

__all__ = ["DemoRunner", "Person", "plant"]
