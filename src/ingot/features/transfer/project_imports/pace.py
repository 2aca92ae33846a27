"""How fast the records of an archive are stored, and how long the rest will take at that pace."""

import time
from collections.abc import Mapping
from typing import Any

import msgspec

from ingot.features.transfer.project_imports.tree import Tree

# Before this has passed, and this part of the archive is stored, the pace says nothing.
FIRST_SECONDS = 5.0
FIRST_PART = 0.02


class Counted(msgspec.Struct, frozen=True):
    """What `Pace` gives to the job."""

    bytes: int = 0
    bytes_total: int = 0
    bytes_before: int = 0
    since: float = 0.0
    at: float = 0.0

    @property
    def seconds_left(self) -> int | None:
        """How long the records will take from the last batch on; None where there is no telling."""
        passed, read = self.at - self.since, self.bytes - self.bytes_before
        if passed < FIRST_SECONDS or read < max(1, FIRST_PART * self.bytes_total):
            return None
        return max(0, int((self.bytes_total - self.bytes) * passed / read))


class Pace:
    """Measures one attempt, by the bytes of the lines: relations have records of very different sizes."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._total = tree.total()
        self._began: tuple[float, int] | None = None

    def counters(self) -> dict[str, Any]:
        """After each batch: what is read now, and what was when this attempt had stored its first one."""
        moment, weight = time.time(), self._tree.weight
        if self._began is None:
            # What an earlier attempt stored is passed over quickly, and says nothing about the pace.
            self._began = (moment, weight)
        since, before = self._began
        return msgspec.structs.asdict(Counted(weight, self._total, before, since, moment))


def counted(counters: Mapping[str, object]) -> Counted:
    """The counters of a job, as far as they are of this kind."""
    return msgspec.convert(counters, Counted)
