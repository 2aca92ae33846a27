"""CI jobs of the whole instance that have not ended, for administrators."""

import msgspec
from starlette.responses import Response

from ingot.features.ci.pipelines import list_open_jobs
from ingot.kit.errors import NotFound
from ingot.web.call import PageCall, View
from ingot.web.guards import ADMINISTRATION
from ingot.web.pages.admin import admin_view
from ingot.web.registry import Pages
from ingot.web.sending import done, text

pages = Pages("site")


@pages.get("admin/jobs", guard=ADMINISTRATION)
def show_open_jobs(call: PageCall) -> View:
    """Jobs that run or wait, those that wait longest first."""
    rows = [
        {**msgspec.structs.asdict(job), "since": (job.started_at or job.created_at).isoformat()}
        for job in list_open_jobs(call.conn)
    ]
    return admin_view(call, "admin_jobs", rows=rows)


@pages.post("admin/jobs/cancel", guard=ADMINISTRATION)
def cancel_job(call: PageCall) -> Response:
    """Cancel one job."""
    project, job = text(call, "project"), text(call, "job")
    if not (project.isdecimal() and job.isdecimal()):
        raise NotFound
    call.ask("/projects/:id/jobs/:job_id/cancel", "POST", id=project, job_id=job)
    return done(call, "/admin/jobs", "Job cancelled.")
