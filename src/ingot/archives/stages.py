"""The stages of the work on an archive and how far it is, alike for exports and imports of projects and groups."""

from collections.abc import Collection, Mapping

import msgspec

from ingot.archives.pace import Counted


class Stage(msgspec.Struct, frozen=True):
    """A part of the work."""

    words: str
    state: str  # done | now | later


class TransferProgress(msgspec.Struct, frozen=True):
    """The background job behind an export or import."""

    job_state: str  # empty where no job is remembered
    stages: list[Stage]
    part: Counted  # of the present stage
    seconds_left: int | None  # for that stage


def list_stages(words: Mapping[str, str], done: Collection[str], *, is_running: bool) -> list[Stage]:
    """All stages in order; the first that is not done is the present one while the job runs."""
    current = next((name for name in words if name not in done), None) if is_running else None
    return [
        Stage(text, "done" if name in done else "now" if name == current else "later") for name, text in words.items()
    ]
