"""How fast an archive is fetched, stored, written or sent, and how long the rest will take at that pace."""

import time
from collections.abc import Mapping
from typing import Any

import msgspec

# Before this has passed, and this part of the archive is stored, the pace says nothing.
FIRST_SECONDS = 5.0
FIRST_PART = 0.02
GROUPS = "groups"  # a part whose pace is measured in groups instead of bytes, because each is about as much work


class Counted(msgspec.Struct, frozen=True):
    """What `Pace` gives to the job."""

    what: str = ""  # archive | records | groups, or a stage of an export
    bytes: int = 0
    bytes_total: int = 0
    bytes_before: int = 0
    since: float = 0.0
    at: float = 0.0

    @property
    def seconds_left(self) -> int | None:
        """How long the rest will take from the last part on; None where there is no telling."""
        passed, read = self.at - self.since, self.bytes - self.bytes_before
        if not self.bytes_total or passed < FIRST_SECONDS or read < max(1, FIRST_PART * self.bytes_total):
            return None
        return max(0, int((self.bytes_total - self.bytes) * passed / read))


class Pace:
    """Measures one attempt at a part of the work on an archive.

    Records by the bytes of their lines: relations have records of very different sizes.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._began: tuple[float, int] | None = None

    def counters(self, done: int, total: int) -> dict[str, Any]:
        """After each part: how much is done now, and was after the first part of this attempt; `total` may be 0."""
        moment = time.time()
        if self._began is None:
            # What an earlier attempt stored is passed over quickly, and says nothing about the pace.
            self._began = (moment, done)
        since, before = self._began
        return msgspec.structs.asdict(Counted(self._what, done, total, before, since, moment))


def counted(counters: Mapping[str, object]) -> Counted:
    """The counters of a job, as far as they are of this kind."""
    return msgspec.convert(counters, Counted)
