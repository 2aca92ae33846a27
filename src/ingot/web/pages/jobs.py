"""Jobs: their list, one with its log and facts, and what is done with them."""

from dataclasses import replace
from urllib.parse import urlsplit

from starlette.responses import RedirectResponse, Response

from ingot.access.policy import READ_BUILDS
from ingot.features.ci.environments import environment_of_job
from ingot.features.ci.job_outputs import trace_chunks, trace_size
from ingot.features.ci.pipelines import get_project_job, may_force_cancel
from ingot.features.ci.resource_groups import resource_place
from ingot.features.ci.runners import why_job_waits
from ingot.features.people.user_pages import local_path
from ingot.kit.clock import now
from ingot.kit.errors import ApiError
from ingot.web.answers import Bridge, DatedJob, JobOfPipeline
from ingot.web.call import PageCall, View, pieces_of
from ingot.web.downloads import Download
from ingot.web.failure_words import failure_words
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.log_index import index_of
from ingot.web.logs import WINDOW_BYTES, WINDOW_LINES, LogWindow, find_lines, window, window_from
from ingot.web.pages.pipeline_running import read_variables
from ingot.web.pages.pipelines import visible_pipeline
from ingot.web.pipeline_jobs import CANCELABLE, ENDED, JOB, PIPELINE, UNSTARTED, acts_of_rows
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import done, number_in, text
from ingot.web.states import job_state

pages = Pages("project")
BUILDS = InProject(READ_BUILDS)
UNDER_WAY = ("running", "canceling")  # a runner has it
ENVIRONMENTS = "/projects/:id/environments"
NO_REPORTS = ("archive", "metadata", "trace")
SHOWN = {"Content-Type": "text/plain; charset=utf-8", "Content-Disposition": "inline"}  # browsers save others
JOB_DONE = {
    "play": "Job started.", "retry": "Job retried.", "cancel": "Job cancelled.",
    "erase": "Log and artifacts erased.",
}  # fmt: skip
JOB_STATES = ("running", "pending", "manual", "success", "failed", "canceled")


@pages.get("jobs", guard=BUILDS)
def list_jobs(call: PageCall) -> View:
    """Jobs, newest first."""
    status = str(call.values.get("status", ""))
    status = status if status in JOB_STATES else ""
    rows = call.ask_rows("/projects/:id/jobs", scope=[status] if status else None)
    return project_view(
        call, "jobs", "pipelines", rows=rows, status=status, states=JOB_STATES, acts=acts_of_rows(call, rows.rows)
    )


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
        return None, refusal_of(error)


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
    pipeline = visible_pipeline(call, below["project_id"], below["id"]) if below else None
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
    variables = read_variables(text(call, "variables")) if verb == "play" else []
    given: dict[str, object] = {"job_variables_attributes": variables} if variables else {}
    if verb == "cancel" and "force" in call.values:
        given["force"] = True
    job = call.ask(f"{JOB}/{verb}", "POST", job_id=call.path["number"], **given)
    here = f"/{call.project.full_path}/-/jobs/{job['id']}"
    return done(call, local_path(text(call, "back"), here), JOB_DONE[verb])
