"""Endpoints of time tracking, made for merge requests and issues."""

from typing import Any

from ingot.access.abilities import ProjectAbility
from ingot.features.issues import policy as issue_policy
from ingot.features.issues.queries import find_by_id as find_issue
from ingot.features.merge_requests import find_by_id as find_merge_request
from ingot.features.merge_requests import policy as request_policy
from ingot.features.notes import Target
from ingot.features.notes.noteables import ISSUE, MERGE_REQUEST, Kind, Noteable
from ingot.features.notes.params import combined
from ingot.features.notes.routes.notes import named
from ingot.features.time_tracking import commands
from ingot.features.time_tracking.commands import Spent
from ingot.features.time_tracking.durations import parse
from ingot.features.time_tracking.entities import TimeStats, time_stats
from ingot.kit.call import Call
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Forbidden, Invalid, Unsaved
from ingot.kit.params import Param, Params

FIND_TRACKED = ProjectAbility(ability="read_time_stats", outsiders=True)


class Estimate(Params):
    """An estimate."""

    duration: str = Param("Duration in words, such as `3h30m`.", required=True)


class SpentTime(Params):
    """Time spent."""

    duration: str = Param("Duration in words; a leading minus takes time back.", required=True)
    summary: str | None = Param("What the time was spent on.")


def _find(call: Call, kind: Kind) -> Target:
    """The thing, for somebody who may track time on it."""
    noteable = kind.find(call)
    may = request_policy.is_developer if kind is MERGE_REQUEST else issue_policy.may_admin
    if not may(call.actor, call.project):
        raise Forbidden
    return Target(noteable.type, noteable.id or 0, call.project.id)


def _stats(call: Call, thing: Target | Noteable) -> TimeStats:
    find: Any = find_merge_request if thing.type == "MergeRequest" else find_issue
    return time_stats(find(call.conn, thing.id))


def _estimate(call: Call, target: Target) -> TimeStats:
    seconds = parse(call.params.duration)
    if seconds is None or seconds < 0:
        problem = "Time estimate must have a valid format and be greater than or equal to zero."
        raise Unsaved("400 Bad request -", {"base": [problem]})
    with call.write() as tx:
        commands.set_estimate(tx, target, call.actor.id, seconds)
    return _stats(call, target)


def _spend(call: Call, target: Target) -> TimeStats:
    seconds = parse(call.params.duration)
    if not seconds:
        raise Invalid({"duration": ["is invalid"]})
    with call.write() as tx:
        commands.spend(tx, target, call.actor.id, Spent(seconds, call.params.summary))
    return _stats(call, target)


def tracking_routes(kind: Kind) -> Routes:
    """The endpoints of one kind of thing."""
    routes = Routes("Time tracking", guard=FIND_TRACKED)
    number = kind.number

    @routes.post(f"{kind.path}/time_estimate", params=combined(number, Estimate), returns=TimeStats, status=200)
    def estimate(call: Call) -> Answer:
        return _estimate(call, _find(call, kind))

    @routes.post(f"{kind.path}/reset_time_estimate", params=number, returns=TimeStats, status=200)
    def reset_estimate(call: Call) -> Answer:
        target = _find(call, kind)
        with call.write() as tx:
            commands.set_estimate(tx, target, call.actor.id, 0)
        return _stats(call, target)

    @routes.post(f"{kind.path}/add_spent_time", params=combined(number, SpentTime), returns=TimeStats)
    def add_spent(call: Call) -> Answer:
        return _spend(call, _find(call, kind))

    @routes.post(f"{kind.path}/reset_spent_time", params=number, returns=TimeStats, status=200)
    def reset_spent(call: Call) -> Answer:
        target = _find(call, kind)
        with call.write() as tx:
            commands.reset_spent(tx, target, call.actor.id)
        return _stats(call, target)

    @routes.get(f"{kind.path}/time_stats", params=number, returns=TimeStats)
    def get_stats(call: Call) -> Answer:
        return _stats(call, kind.find(call))

    return named(
        routes,
        {
            "estimate": (f"estimate_{kind.word}", f"Estimate the time that a {kind.title} will take."),
            "reset_estimate": (f"reset_{kind.word}_estimate", "Remove the estimate."),
            "add_spent": (f"add_{kind.word}_spent_time", f"Log time spent on a {kind.title}, or take some back."),
            "reset_spent": (f"reset_{kind.word}_spent_time", "Forget all time spent."),
            "get_stats": (f"get_{kind.word}_time_stats", f"Estimated and spent time of a {kind.title}."),
        },
    )


ROUTES = [tracking_routes(MERGE_REQUEST), tracking_routes(ISSUE)]
