"""Pipelines and jobs."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, cast
from urllib.parse import urlencode, urlsplit

from starlette.responses import RedirectResponse, Response

from ingot.access.policy import READ_BUILDS
from ingot.features.ci.environments import environment_of_job
from ingot.features.ci.job_outputs import trace_chunks, trace_size
from ingot.features.ci.pipelines import get_project_job, may_force_cancel, run_by_hand, starter_of
from ingot.features.ci.resource_groups import resource_place
from ingot.features.ci.runners import why_job_waits
from ingot.kit.clock import now
from ingot.kit.errors import ApiError
from ingot.web.answers import Bridge, DatedJob, JobOfPipeline, NamedJob, PipelineOfCommit
from ingot.web.call import PageCall, View, pieces_of
from ingot.web.downloads import Download
from ingot.web.failure_words import failure_words
from ingot.web.fields import read_inputs
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.list_facts import pipeline_facts
from ingot.web.log_index import index_of
from ingot.web.logs import WINDOW_BYTES, WINDOW_LINES, LogWindow, find_lines, window, window_from
from ingot.web.registry import Pages
from ingot.web.rendering import sentence_of
from ingot.web.sending import done, number_in, text
from ingot.web.states import job_state, pipeline_state
from ingot.web.time_left import time_left

pages = Pages("project")
BUILDS = InProject(READ_BUILDS)
PIPELINE = "/projects/:id/pipelines/:pipeline_id"
JOB = "/projects/:id/jobs/:job_id"
ENVIRONMENTS = "/projects/:id/environments"
UNSTARTED, ENDED = ("manual", "scheduled"), ("failed", "success", "canceled")
NO_REPORTS = ("archive", "metadata", "trace")
CANCELABLE = ("running", "pending", "created", "preparing", "waiting_for_resource")
UNDER_WAY = ("running", "canceling")  # a runner has it
MOST_RELATIVES, MOST_DEPLOYING = 20, 10  # each is looked up
SHOWN = {"Content-Type": "text/plain; charset=utf-8", "Content-Disposition": "inline"}  # browsers save others
PIPELINE_DONE = {"cancel": "Pipeline cancelled.", "retry": "The failed jobs run again."}
JOB_DONE = {
    "play": "Job started.", "retry": "The job runs again.", "cancel": "Job cancelled.",
    "erase": "Log and artifacts erased.",
}  # fmt: skip
PIPELINE_STATES = ("running", "pending", "success", "failed", "canceled")
JOB_STATES = ("running", "pending", "manual", "success", "failed", "canceled")
PIPELINE_SOURCES = {
    "push": "Pushes", "merge_request_event": "Merge requests", "schedule": "Schedules", "web": "Pages", "api": "API",
    "trigger": "Triggers", "pipeline": "Pipelines of other projects", "parent_pipeline": "Parent pipelines",
    "external": "Other services",
}  # fmt: skip


@pages.get("pipelines", guard=BUILDS)
def list_pipelines(call: PageCall) -> View:
    """Pipelines, newest first."""
    status, source = (str(call.values.get(name, "")) for name in ("status", "source"))
    chosen = {
        "status": status if status in PIPELINE_STATES else "",
        "source": source if source in PIPELINE_SOURCES else "",
    }
    chosen |= {name: text(call, name) for name in ("ref", "username", "name")}
    filters = {name: value for name, value in chosen.items() if value}
    others = urlencode({name: value for name, value in filters.items() if name != "status"})
    rows = call.ask_rows("/projects/:id/pipelines", **filters)
    return project_view(
        call, "pipelines", "pipelines", rows=rows, facts=pipeline_facts(call, rows.items), chosen=chosen,
        query=urlencode(filters), others=others, states=PIPELINE_STATES, sources=PIPELINE_SOURCES,
        can_run=call.may("POST", "/projects/:id/pipeline"),
    )  # fmt: skip


@pages.get("pipelines/new", guard=BUILDS)
def show_new_pipeline(call: PageCall) -> View:
    """The form that runs a pipeline."""
    call.require("POST", "/projects/:id/pipeline")
    return _form(call, str(call.values.get("ref", "") or call.project.default_branch or ""))


@pages.post("pipelines", guard=BUILDS)
def run_pipeline(call: PageCall) -> View | Response:
    """Run a pipeline for a branch or tag."""
    ref, written, inputs = (str(call.values.get(name, "")) for name in ("ref", "variables", "inputs"))
    given = {"variables": _variables(written) or None, "inputs": read_inputs(inputs) or None}
    try:
        pipeline = call.ask("/projects/:id/pipeline", "POST", ref=ref, **given)
    except ApiError as error:
        if error.status not in (400, 422):
            raise
        return _form(call, ref, sentence_of(error), error.status, variables=written, inputs=inputs)
    return done(call, f"/{call.project.full_path}/-/pipelines/{pipeline['id']}", "Pipeline started.")


def _variables(written: str) -> list[dict[str, str]]:
    """Lines of `NAME=value` as the API takes variables."""
    parts = [line.partition("=") for line in written.splitlines() if line.strip()]
    return [{"key": name.strip(), "value": value.strip()} for name, _, value in parts]


@pages.get("pipelines/{number:int}", guard=BUILDS)
def show_pipeline(call: PageCall) -> View:
    """One pipeline: its jobs by stage."""
    number = call.path["number"]
    pipeline = call.ask(PIPELINE, pipeline_id=number)
    jobs = all_jobs(call, number)
    stages = [(stage, list(part)) for stage, part in groupby(jobs, key=lambda job: job["stage"])]
    return project_view(
        call,
        "pipeline",
        "pipelines",
        **pipeline_head(call, pipeline),
        stages=stages,
        live=pipeline_state(pipeline, jobs[-100:]),
        **_relatives(call, pipeline["id"], jobs),
        failed=[job for job in jobs if job["status"] == "failed" and not job["allow_failure"]],
        failure_words=failure_words,
        by_hand=_run_by_hand(call, pipeline["id"], jobs),
    )


def _run_by_hand(call: PageCall, number: int, jobs: Sequence[NamedJob]) -> set[int]:
    """The jobs that whoever may update the pipeline may run; of those that deploy, each is asked for."""
    waiting = {job["id"] for job in jobs if job["status"] == "manual"}
    if not waiting:
        return waiting
    plain = run_by_hand(call.conn, number)
    deploying = sorted(waiting - plain)[:MOST_DEPLOYING]
    return plain | {job_id for job_id in deploying if call.may("POST", f"{JOB}/play", job_id=str(job_id))}


def pipeline_head(call: PageCall, pipeline: PipelineOfCommit) -> dict[str, object]:
    """What all pages of a pipeline begin with."""
    number = pipeline["id"]
    return {
        "pipeline": pipeline,
        "commit": call.ask_part_or_none(
            ("last_pipeline",), "/projects/:id/repository/commits/:sha", sha=pipeline["sha"], stats=False
        ),
        "time_left": time_left(call, pipeline),
        "can_update": call.may("POST", f"{PIPELINE}/retry", pipeline_id=number),
        "can_cancel": call.may("POST", f"{PIPELINE}/cancel", pipeline_id=number),
        "can_delete": call.may("DELETE", PIPELINE, pipeline_id=number),
    }


def _relatives(call: PageCall, number: int, jobs: Sequence[NamedJob]) -> dict[str, object]:
    """The pipeline that started this one, and those that its jobs started, where the visitor may see them."""
    above = starter_of(call.conn, number)
    below = [row for job in jobs if (row := cast("Bridge", job).get("downstream_pipeline"))]
    elsewhere = [row for row in below if row["project_id"] != call.project.id][:MOST_RELATIVES]
    seen: list[Any] = [_seen(call, row["project_id"], row["id"]) for row in elsewhere]
    here = [row for row in below if row["project_id"] == call.project.id]
    return {
        "started_by": _seen(call, above.project_id, above.id) if above else None,
        "started": {row["id"]: row for row in (*here, *filter(None, seen))},
    }


# Any: a record of the API.
def _seen(call: PageCall, project: int, number: int) -> Any:
    """A pipeline, maybe of another project, if the visitor may see it."""
    return call.ask_or_none(PIPELINE, id=project, pipeline_id=number)


@pages.post("pipelines/{number:int}/name", guard=BUILDS)
def rename_pipeline(call: PageCall) -> Response:
    """Give it a name, or take that away."""
    call.ask(f"{PIPELINE}/metadata", "PUT", pipeline_id=call.path["number"], name=text(call, "name"))
    return done(call, f"/{call.project.full_path}/-/pipelines/{call.path['number']}", "Name saved.")


@pages.post("pipelines/{number:int}/{verb}", guard=BUILDS)
def change_pipeline(call: PageCall) -> Response:
    """Retry, cancel or delete."""
    if call.path["verb"] == "remove":
        call.ask(PIPELINE, "DELETE", pipeline_id=call.path["number"])
        return done(call, f"/{call.project.full_path}/-/pipelines", "Pipeline deleted.")
    verb = "cancel" if call.path["verb"] == "cancel" else "retry"
    call.ask(f"{PIPELINE}/{verb}", "POST", pipeline_id=call.path["number"])
    return done(call, f"/{call.project.full_path}/-/pipelines/{call.path['number']}", PIPELINE_DONE[verb])


@pages.get("jobs", guard=BUILDS)
def list_jobs(call: PageCall) -> View:
    """Jobs, newest first."""
    status = str(call.values.get("status", ""))
    status = status if status in JOB_STATES else ""
    rows = call.ask_rows("/projects/:id/jobs", scope=[status] if status else None)
    return project_view(call, "jobs", "pipelines", rows=rows, status=status, states=JOB_STATES)


@pages.get("jobs/{number:int}", guard=BUILDS)
def show_job(call: PageCall) -> View | Response:
    """One job with the last part of its log; one that starts a pipeline leads there."""
    number = call.path["number"]
    call.require("GET", JOB, job_id=number)  # strangers are sent to sign in, as from the pipeline
    job = call.ask_or_none(JOB, job_id=number)
    if job is None:
        return RedirectResponse(_below_bridge(call, int(number)), 302)
    log, refusal = _log_or_refusal(call, job)
    return project_view(
        call, "job", "pipelines", job=job, log=log, refusal=refusal,
        failure=failure_words(job.get("failure_reason")),
        live=job_state(job, trace_size(call.conn, job["id"])),
        **_controls(call, job), **_job_facts(call, job),
    )  # fmt: skip


def _controls(call: PageCall, job: JobOfPipeline) -> dict[str, object]:
    """What may be done with a job in its state; the other rights are not asked for."""
    number, status = job["id"], job["status"]
    verb = "play" if status in UNSTARTED else "retry"
    can_end = status in (*CANCELABLE, *UNDER_WAY) and call.may("POST", f"{JOB}/cancel", job_id=number)
    return {
        "can_run": status in (*UNSTARTED, *ENDED) and call.may("POST", f"{JOB}/{verb}", job_id=number),
        "can_cancel": status in CANCELABLE and can_end,
        "can_force": status in UNDER_WAY and can_end and may_force_cancel(call.actor, call.project),
        "can_keep": "artifacts_file" in job and call.may("POST", f"{JOB}/artifacts/keep", job_id=number),
    }


def _log_or_refusal(call: PageCall, job: DatedJob) -> tuple[LogWindow | None, str]:
    try:
        return _end_of_log(call, job), ""
    except ApiError as error:
        return None, sentence_of(error)


def _job_facts(call: PageCall, job: JobOfPipeline) -> dict[str, object]:
    """Other attempts of a job, what it needs and waits for, where it deploys, and what may be done away with."""
    number, row = job["pipeline"]["id"], get_project_job(call.conn, call.project.id, job["id"])
    resource, is_pending = resource_place(call.conn, row), job["status"] == "pending"
    columns = ("id", "name", "status")
    jobs = call.ask_columns(f"{PIPELINE}/jobs", columns, pipeline_id=number, include_retried=True, per_page="100")
    wanted = [need["name"] for need in row.needs or ()]
    newest = {row["name"]: row for row in sorted(jobs, key=lambda row: row["id"])}
    return {
        "artifacts_gone": row.artifacts_expire_at is not None and row.artifacts_expire_at <= now(),
        "reports": [file["file_type"] for file in job["artifacts"] if file["file_type"] not in NO_REPORTS],
        "is_retried": row.is_retried, "timeout": row.timeout,
        "attempts": sorted((row for row in jobs if row["name"] == job["name"]), key=lambda row: row["id"]),
        "needs": [newest[name] for name in wanted if name in newest],
        "waits": (resource and resource.words) or (why_job_waits(call.conn, row, call.project) if is_pending else ""),
        "resource": resource,
        "environment": environment_of_job(call.conn, row) if call.may("GET", ENVIRONMENTS) else None,
        "can_set_up": call.session is not None and call.may("PUT", "/projects/:id"),
        "can_erase": call.may("POST", f"{JOB}/erase", job_id=job["id"]),
        "can_write_issue": call.may("POST", "/projects/:id/issues"),
    }  # fmt: skip


def _below_bridge(call: PageCall, number: int) -> str:
    """The pipeline that a job started, where the visitor may see it, else that of the job; 404 for other numbers."""
    above = get_project_job(call.conn, call.project.id, number, ("bridge",)).pipeline_id
    rows: list[Bridge] = call.ask(f"{PIPELINE}/bridges", pipeline_id=above, per_page="100")
    below = next((row["downstream_pipeline"] for row in rows if row["id"] == number), None)
    pipeline = _seen(call, below["project_id"], below["id"]) if below else None
    return urlsplit(pipeline["web_url"]).path if pipeline else f"/{call.project.full_path}/-/pipelines/{above}"


@pages.get("jobs/{number:int}/raw", guard=BUILDS)
def show_raw_log(call: PageCall) -> Download:
    """The whole log as plain text."""
    return replace(call.download(f"{JOB}/trace", job_id=call.path["number"]), headers=SHOWN)


@pages.get("jobs/{number:int}/log", guard=BUILDS)
def show_part_of_log(call: PageCall) -> View:
    """The lines of a log from one on, or those that hold some words."""
    job = call.ask(JOB, job_id=call.path["number"])
    words = text(call, "q")
    if words:
        hits, is_cut = find_lines(pieces_of(call.ask_response(f"{JOB}/trace", job_id=job["id"])), words)
        return project_view(call, "job_log", "pipelines", job=job, words=words, hits=hits, is_cut=is_cut)
    start = number_in(text(call, "from")) or 1
    return project_view(
        call, "job_log", "pipelines", job=job, words="", log=_part_of_log(call, job, start), step=WINDOW_LINES
    )


def _end_of_log(call: PageCall, job: DatedJob) -> LogWindow:
    """The last part of a log. What was counted before is not read again."""
    answer = call.ask_response(f"{JOB}/trace", job_id=job["id"])
    index, size = index_of(call.services, job["id"], job["created_at"]), trace_size(call.conn, job["id"])
    start = index.before_offset(size - WINDOW_BYTES)
    if start.offset == 0:
        return window(pieces_of(answer), index)
    return window(trace_chunks(call.services, job["id"], start.offset), index, start)


def _part_of_log(call: PageCall, job: DatedJob, first: int) -> LogWindow:
    """The part of a log that begins with a line."""
    answer = call.ask_response(f"{JOB}/trace", job_id=job["id"])
    index, size = index_of(call.services, job["id"], job["created_at"]), trace_size(call.conn, job["id"])
    start, total = index.before_line(first), index.total_at(size)
    if start.offset == 0 or size <= start.offset:
        return window_from(pieces_of(answer), first, known_total=total)
    return window_from(trace_chunks(call.services, job["id"], start.offset), first, start, total)


@pages.post("jobs/{number:int}/{verb}", guard=BUILDS)
def change_job(call: PageCall) -> Response:
    """Play, retry, cancel, at once or in the runner's own time, or erase."""
    verb = call.path["verb"] if call.path["verb"] in JOB_DONE else "retry"
    variables = _variables(text(call, "variables")) if verb == "play" else []
    given: dict[str, object] = {"job_variables_attributes": variables} if variables else {}
    if verb == "cancel" and "force" in call.values:
        given["force"] = True
    job = call.ask(f"{JOB}/{verb}", "POST", job_id=call.path["number"], **given)
    return done(call, f"/{call.project.full_path}/-/jobs/{job['id']}", JOB_DONE[verb])


def all_jobs(call: PageCall, number: str) -> list[NamedJob]:
    """The jobs of a pipeline in the order of its stages, with those that start other pipelines."""
    bridges: list[Bridge] = call.ask_or_none(f"{PIPELINE}/bridges", pipeline_id=number, per_page="100") or []
    jobs: list[NamedJob] = [*bridges]
    for page in range(1, 11):
        part = call.ask(f"{PIPELINE}/jobs", pipeline_id=number, per_page="100", page=str(page))
        jobs += part
        if len(part) < 100:
            break
    jobs.sort(key=lambda job: job["id"])
    order = {stage: place for place, stage in reversed(list(enumerate(job["stage"] for job in jobs)))}
    return sorted(jobs, key=lambda job: order[job["stage"]])


def _form(call: PageCall, ref: str, problem: str = "", status: int = 200, **typed: str) -> View:
    branches = call.ask_or_none("/projects/:id/repository/branches", per_page="100") or []
    names = [row["name"] for row in branches]
    return project_view(call, "pipeline_form", "pipelines", status, names=names, ref=ref, problem=problem, typed=typed)
