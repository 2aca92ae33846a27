"""Background jobs for administrators: the list, one job with its steps, trying again and cancelling."""

import msgspec
from starlette.responses import RedirectResponse, Response

from ingot.kit.errors import Conflict
from ingot.kit.jobs import JobView, NotRetryable, cancel, find_job_by_id, list_jobs, list_steps, retry
from ingot.web.call import PageCall, View
from ingot.web.guards import ADMINISTRATION
from ingot.web.pages.admin import admin_view
from ingot.web.registry import Pages
from ingot.web.sending import done, text

pages = Pages("site")
STATES = ("queued", "running", "failed", "done", "cancelled")


@pages.get("admin/background_jobs", guard=ADMINISTRATION)
def list_background_jobs(call: PageCall) -> View:
    """The newest jobs, of one state if that was asked."""
    state = str(call.values.get("state", ""))
    state = state if state in STATES else ""
    rows = [_shown(job) for job in list_jobs(call.conn, state=state or None)]
    gone = text(call, "gone")
    return admin_view(
        call, "background_jobs", rows=rows, state=state, states=STATES, gone=gone if gone.isdecimal() else ""
    )


@pages.get("admin/background_jobs/{number:int}", guard=ADMINISTRATION)
def show_background_job(call: PageCall) -> View | Response:
    """One job with the steps that it has done; the list, where it is gone, as repeated jobs are that ended well."""
    number = int(call.path["number"])
    job = find_job_by_id(call.conn, number)
    if job is None:
        return RedirectResponse(f"/admin/background_jobs?gone={number}", 302)
    steps = [(name, when.isoformat()) for name, when in list_steps(call.conn, number)]
    return admin_view(call, "background_job", job=_shown(job), steps=steps)


@pages.post("admin/background_jobs/{number:int}/{verb}", guard=ADMINISTRATION)
def change_background_job(call: PageCall) -> Response:
    """Retry a job that failed, or cancel one that has not ended."""
    number = int(call.path["number"])
    with call.services.db.write() as tx:
        if call.path["verb"] == "cancel":
            cancel(tx, job_id=number)
        else:
            try:
                retry(tx, number)
            except NotRetryable as error:
                raise Conflict(str(error)) from None
    return done(
        call, "/admin/background_jobs", "Job cancelled." if call.path["verb"] == "cancel" else "Job queued again."
    )


def _shown(job: JobView) -> dict[str, object]:
    return {
        name: value.isoformat() if name.endswith(("_at", "_after")) and value else value
        for name, value in msgspec.structs.asdict(job).items()
    }
