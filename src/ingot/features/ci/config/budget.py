"""Limits the work that one configuration may cause, so that a small hostile file cannot take minutes."""

from __future__ import annotations

from ingot.features.ci.config.problems import ConfigInvalid

MAX_WORK = 1_500_000


class Budget:
    """Every walk over configuration values counts against it; an exhausted budget ends the compilation."""

    def __init__(self, units: int = MAX_WORK) -> None:
        self._left = units

    def spend(self, units: int = 1) -> None:
        self._left -= units
        if self._left < 0:
            raise ConfigInvalid(["The parsed YAML is too big"])
