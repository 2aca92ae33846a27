"""The jobs of a pipeline in the order of its stages, and what the visitor may do with each on its page."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypedDict, cast

import msgspec

from ingot.features.ci.engine import UPDATE_JOBS, JobRow, may_cancel, may_change
from ingot.features.code.protected_branches import load as load_protection
from ingot.kit.clock import now
from ingot.web.answers import Bridge, NamedJob, PipelineOfProject
from ingot.web.call import PageCall

PIPELINE = "/projects/:id/pipelines/:pipeline_id"
JOB = "/projects/:id/jobs/:job_id"
UNSTARTED, ENDED, AGAIN = ("manual", "scheduled"), ("failed", "success", "canceled"), ("failed", "canceled")
CANCELABLE = ("running", "pending", "created", "preparing", "waiting_for_resource")
MOST_ASKED = 10  # jobs that deploy: what may be done with each is looked up
_COLUMNS = (
    "id", "name", "status", "stage", "allow_failure", "started_at", "finished_at", "failure_reason", "has_environment",
    "is_archived",
)  # fmt: skip
_A_PAGE, _MOST_PAGES = 100, 20


class Act(msgspec.Struct, frozen=True):
    """What can be done with a job: the end of the form's address, the icon of its button, and its name."""

    verb: str
    icon: str
    words: str


RUN, RUN_NOW = Act("play", "play", "Run"), Act("play", "play", "Run now")
RETRY, CANCEL = Act("retry", "again", "Retry"), Act("cancel", "stop", "Cancel")


class PipelineJob(NamedJob):
    """A job on the pages of its pipeline, or one that starts another pipeline."""

    failure_reason: str | None
    seconds: float | None  # how long it has run
    has_environment: bool
    is_archived: bool
    is_bridge: bool
    downstream_pipeline: PipelineOfProject | None


class _Times(TypedDict):
    started_at: str | None
    finished_at: str | None


def all_jobs(call: PageCall, number: object) -> list[PipelineJob]:
    """The jobs of a pipeline in the order of its stages, with those that start other pipelines."""
    call.require("GET", f"{PIPELINE}/jobs", pipeline_id=number)
    bridges: list[Bridge] = call.ask_or_none(f"{PIPELINE}/bridges", pipeline_id=number, per_page=str(_A_PAGE)) or []
    jobs = [_of_bridge(bridge) for bridge in bridges]
    for page in range(1, _MOST_PAGES + 1):
        asked = {"pipeline_id": number, "per_page": str(_A_PAGE), "page": str(page)}
        part = call.ask_columns(f"{PIPELINE}/jobs", _COLUMNS, **asked)
        jobs += [_of_row(row) for row in part]
        if len(part) < _A_PAGE:
            break
    jobs.sort(key=lambda job: job["id"])
    order = {stage: place for place, stage in reversed(list(enumerate(job["stage"] for job in jobs)))}
    return sorted(jobs, key=lambda job: order[job["stage"]])


def _of_row(row: Mapping[str, object]) -> PipelineJob:
    seconds = _seconds(cast("_Times", row))
    return cast("PipelineJob", {**row, "seconds": seconds, "is_bridge": False, "downstream_pipeline": None})


def _of_bridge(bridge: Bridge) -> PipelineJob:
    others = {"seconds": _seconds(bridge), "is_bridge": True, "is_archived": False, "has_environment": True}
    return cast("PipelineJob", {**bridge, **others})


def _seconds(job: _Times | Bridge) -> float | None:
    if not job["started_at"]:
        return None
    ended = datetime.fromisoformat(job["finished_at"]) if job["finished_at"] else now()
    return max(0.0, (ended - datetime.fromisoformat(job["started_at"])).total_seconds())


def acts_of(call: PageCall, jobs: Sequence[PipelineJob], *, can_update: bool, can_cancel: bool) -> dict[int, Act]:
    """By id: what may be done with the jobs of a pipeline by whoever may update or cancel it."""
    acts = [
        (job["id"], act, job["has_environment"])
        for job in jobs
        if (act := _act(job)) is not None and (can_cancel if act is CANCEL else can_update)
    ]
    return _admitted(call, acts)


def acts_of_rows(call: PageCall, rows: Sequence[JobRow]) -> dict[int, Act]:
    """The same of jobs of several pipelines."""
    if call.session is None or not UPDATE_JOBS.allows(call.actor, call.project):
        return {}
    protection, can_cancel = load_protection(call.conn, call.actor, call.project), may_cancel(call.actor, call.project)
    acts = [
        (row.id, act, row.has_environment)
        for row in rows
        if (act := _act({"status": row.status, "is_archived": row.is_archived or row.is_retried})) is not None
        and may_change(protection, row)
        and (can_cancel or act is not CANCEL)
    ]
    return _admitted(call, acts)


def _admitted(call: PageCall, acts: Sequence[tuple[int, Act, bool]]) -> dict[int, Act]:
    """Whether a job that deploys may run depends on its environment too: that is asked of some of them."""
    result, asked = {}, 0
    for number, act, deploys in acts:
        if deploys and act is not CANCEL:
            asked += 1
            if asked > MOST_ASKED or not call.may("POST", f"{JOB}/{act.verb}", job_id=str(number)):
                continue
        result[number] = act
    return result


def _act(job: Mapping[str, object]) -> Act | None:
    """What its state allows."""
    status = job["status"]
    if status in UNSTARTED:
        return RUN if status == "manual" else RUN_NOW
    if status in CANCELABLE:
        return CANCEL
    return RETRY if status in AGAIN and not job.get("is_archived") else None
