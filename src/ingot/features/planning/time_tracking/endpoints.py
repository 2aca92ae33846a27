"""Endpoints of time tracking, made for each kind of issuable."""

from sqlalchemy import select

from ingot.access.abilities import ProjectAbility
from ingot.access.call import Call
from ingot.features.planning.issuables import IssuableKind, Target
from ingot.features.planning.time_tracking import commands
from ingot.features.planning.time_tracking.commands import Spent
from ingot.features.planning.time_tracking.entities import TimeStats, time_stats
from ingot.kit.durations import parse
from ingot.kit.endpoint import Answer, Routes, name_handlers, with_article
from ingot.kit.errors import Forbidden, Invalid, Unsaved
from ingot.kit.params import Param, Params, combined

FIND_TRACKED = ProjectAbility(ability="read_time_stats", outsiders=True)


class Estimate(Params):
    """An estimate."""

    duration: str = Param("Duration in words, such as `3h30m`.", required=True)


class SpentTime(Params):
    """Time spent."""

    duration: str = Param("Duration in words; a leading minus subtracts time.", required=True)
    summary: str | None = Param("Summary of the work.")


def _find(call: Call, kind: IssuableKind) -> Target:
    """The issuable, if the caller may track time on it."""
    noteable = kind.find(call)
    if not kind.may_track_time(call.actor, call.project):
        raise Forbidden
    return Target(noteable.type, noteable.id or 0, call.project.id)


def _stats(call: Call, kind: IssuableKind, issuable_id: int | None) -> TimeStats:
    return time_stats(call.conn.execute(select(kind.table).where(kind.table.c.id == issuable_id)).one())


def _estimate(call: Call[Estimate], kind: IssuableKind) -> TimeStats:
    target = _find(call, kind)
    seconds = parse(call.params.duration)
    if seconds is None or seconds < 0:
        problem = "Time estimate must have a valid format and be greater than or equal to zero."
        raise Unsaved("400 Bad request -", {"base": [problem]})
    with call.write() as tx:
        commands.set_estimate(tx, target, call.actor.id, seconds)
    return _stats(call, kind, target.id)


def _spend(call: Call[SpentTime], kind: IssuableKind) -> TimeStats:
    target = _find(call, kind)
    seconds = parse(call.params.duration)
    if not seconds:
        raise Invalid({"duration": ["is invalid"]})
    with call.write() as tx:
        commands.spend(tx, target, call.actor.id, Spent(seconds, call.params.summary))
    return _stats(call, kind, target.id)


def tracking_routes(kind: IssuableKind) -> Routes:
    """The endpoints of one kind of issuable."""
    routes = Routes("Time tracking", guard=FIND_TRACKED)
    number = kind.number

    @routes.post(f"{kind.path}/time_estimate", params=combined(number, Estimate), returns=TimeStats, status=200)
    def estimate(call: Call[Estimate]) -> Answer:
        return _estimate(call, kind)

    @routes.post(f"{kind.path}/reset_time_estimate", params=number, returns=TimeStats, status=200)
    def reset_estimate(call: Call) -> Answer:
        target = _find(call, kind)
        with call.write() as tx:
            commands.set_estimate(tx, target, call.actor.id, 0)
        return _stats(call, kind, target.id)

    @routes.post(f"{kind.path}/add_spent_time", params=combined(number, SpentTime), returns=TimeStats)
    def add_spent(call: Call[SpentTime]) -> Answer:
        return _spend(call, kind)

    @routes.post(f"{kind.path}/reset_spent_time", params=number, returns=TimeStats, status=200)
    def reset_spent(call: Call) -> Answer:
        target = _find(call, kind)
        with call.write() as tx:
            commands.reset_spent(tx, target, call.actor.id)
        return _stats(call, kind, target.id)

    @routes.get(f"{kind.path}/time_stats", params=number, returns=TimeStats)
    def get_stats(call: Call) -> Answer:
        return _stats(call, kind, kind.find(call).id)

    return name_handlers(
        routes,
        {
            "estimate": (f"estimate_{kind.word}", f"Estimate the time that {with_article(kind.title)} will take."),
            "reset_estimate": (f"reset_{kind.word}_estimate", "Remove the estimate."),
            "add_spent": (
                f"add_{kind.word}_spent_time",
                f"Log time spent on {with_article(kind.title)}, or take some back.",
            ),
            "reset_spent": (f"reset_{kind.word}_spent_time", "Reset the time spent."),
            "get_stats": (f"get_{kind.word}_time_stats", f"Estimated and spent time of {with_article(kind.title)}."),
        },
    )
