"""What the merge box tells besides its reasons: approvals by rule, failed jobs, and what merging will do."""

from collections.abc import Callable, Sequence

import msgspec

from ingot.features.ci.job_outputs import trace_chunks, trace_size
from ingot.kit.errors import ApiError
from ingot.web.answers import ApprovalState, FailedJob, MergeRequest
from ingot.web.call import PageCall
from ingot.web.filters import local
from ingot.web.frames import framed_project
from ingot.web.logs import window
from ingot.web.merge_steps import REQUEST

MOST_JOBS = 3
TRACE = "/projects/:id/jobs/:job_id/trace"
TAIL_BYTES = 4096
RUNNER_ENDS = ("ERROR: Job failed", "Cleaning up")
FAILED_JOBS = "/projects/:id/pipelines/:pipeline_id/jobs"
METHODS = {
    "merge": "adds a merge commit to {}", "rebase_merge": "adds a merge commit to {}, which stays a line of merges",
    "ff": "fast-forwards {}",
}  # fmt: skip


class RuleLine(msgspec.Struct, frozen=True):
    """An approval rule that asks for somebody."""

    name: str
    required: int
    approved_by: Sequence[str]  # names
    eligible: Sequence[str]


def approval_rules(call: PageCall, request: MergeRequest) -> list[RuleLine]:
    """The rules of an open request; none where the instance has no rules."""
    if request["state"] != "opened" or not call.services.settings.has_tier("premium"):
        return []
    state: ApprovalState | None = call.ask_or_none(f"{REQUEST}/approval_state", merge_request_iid=request["iid"])
    return [
        RuleLine(
            "Anybody" if rule["rule_type"] == "any_approver" else rule["name"], rule["approvals_required"],
            [person["name"] for person in rule["approved_by"]],
            [person["name"] for person in rule["eligible_approvers"]],
        )
        for rule in (state["rules"] if state else [])
        if rule["approvals_required"]
    ]  # fmt: skip


class FailedLine(msgspec.Struct, frozen=True):
    """A job that failed."""

    address: str
    name: str
    last_line: str


def failed_jobs(call: PageCall, request: MergeRequest) -> list[FailedLine]:
    """Some of the jobs that failed in the request's pipeline, a fork's maybe, each with the last line of its log."""
    pipeline = request.get("head_pipeline")
    if pipeline is None or pipeline["status"] != "failed" or request["state"] != "opened":
        return []
    where = {} if pipeline["project_id"] == call.project.id else {"id": pipeline["project_id"]}
    jobs: list[FailedJob] | None = call.ask_or_none(
        FAILED_JOBS, **where, pipeline_id=pipeline["id"], scope=["failed"], per_page=str(MOST_JOBS)
    )
    return [FailedLine(local(job["web_url"]), job["name"], _last_line(call, job["id"], where)) for job in jobs or []]


def _last_line(call: PageCall, job_id: int, where: dict[str, int]) -> str:
    """What the job said last; empty where the visitor may not read its log. What the runner adds at the end is left."""
    try:
        call.ask_response(TRACE, **where, job_id=job_id)
    except ApiError:
        return ""
    start = max(0, trace_size(call.conn, job_id) - TAIL_BYTES)
    lines = [line.striptags() for line in window(trace_chunks(call.services, job_id, start)).lines]
    said = [line for line in lines if line and not line.startswith(RUNNER_ENDS)]
    return (said or lines or [""])[-1]


def merge_result(call: PageCall, request: MergeRequest, count_commits: Callable[[], int | None]) -> str:
    """What the button does, in words."""
    project = framed_project(call)
    words = METHODS.get(project.get("merge_method") or "merge", METHODS["merge"]).format(request["target_branch"])
    commits = count_commits() if request.get("squash_on_merge") else None
    if commits and commits > 1:
        return f"Squashes {commits} commits into one, then {words}."
    return f"{words[:1].upper()}{words[1:]}."
