"""The combined status of many jobs: of a stage, of a pipeline, of the jobs that another one waits for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

_SETTLED = frozenset(("success", "failed", "canceled", "skipped"))
_QUIET = frozenset(("warn", "ignored"))

# The first row whose set contains every status decides.
_ONLY: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset(("skipped", "ignored")), "skipped"),
    (_QUIET | {"success", "skipped"}, "success"),
    (_QUIET | {"created"}, "created"),
    (_QUIET | {"preparing"}, "preparing"),
    (_QUIET | {"canceled", "success", "skipped"}, "canceled"),
    (_QUIET | {"pending", "created", "skipped"}, "pending"),
)
# Then the first of these that occurs.
_ANY: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset(("running", "pending")), "running"),
    (frozenset(("canceling",)), "canceling"),
    (frozenset(("waiting_for_resource",)), "waiting_for_resource"),
    (frozenset(("waiting_for_callback",)), "waiting_for_callback"),
    (frozenset(("manual",)), "manual"),
    (frozenset(("scheduled",)), "scheduled"),
    (frozenset(("preparing",)), "preparing"),
    (frozenset(("created",)), "running"),
)


class JobState(NamedTuple):
    status: str
    allow_failure: bool = False


def composite_status(states: Iterable[JobState], *, needs: bool = False) -> str | None:
    """One status for the latest attempt of each job; None when there are none.

    `needs`: the jobs are those that another one needs, not earlier stages.
    """
    results = {_seen(state) for state in states}
    if not results:
        return None
    if needs:
        if results & {"skipped", "ignored"}:
            return "skipped"
        if not results <= _SETTLED | {"warn"}:
            return "pending"
    for allowed, result in _ONLY:
        if results <= allowed:
            return result
    for statuses, result in _ANY:
        if results & statuses:
            return result
    return "failed"


def _seen(state: JobState) -> str:
    if state.allow_failure:
        if state.status in ("failed", "canceled"):
            return "warn"
        if state.status == "manual":
            return "ignored"
    return state.status


def next_status(when: str, previous: str | None, *, needs: bool = False) -> str | None:
    """The next status of a created job: pending, manual, scheduled or skipped; None while it must wait.

    `previous` is the composite status of what comes before; None means that nothing does.
    """
    previous = previous or "success"
    if previous not in _SETTLED:
        return None
    match when:
        case "on_success":
            return "pending" if previous == "success" or (previous == "skipped" and not needs) else "skipped"
        case "on_failure":
            return "pending" if previous == "failed" else "skipped"
        case "always":
            return "pending"
        case "manual":
            return "manual" if previous in ("success", "skipped") else "skipped"
        case "delayed":
            return "scheduled" if previous in ("success", "skipped") else "skipped"
    return "skipped"
