"""Streams of events for pages that renew themselves: a job, a pipeline, a merge box, an export, an import."""

from ingot.access.policy import ADMIN_PROJECT, OWN_GROUP, READ_BUILDS, READ_MERGE_REQUESTS
from ingot.features.ci.job_outputs import trace_size, watch_trace
from ingot.features.ci.pipelines import states_of_jobs
from ingot.features.transfer.group_archives import export_state, import_state
from ingot.features.transfer.project_exports import export_progress
from ingot.features.transfer.project_imports import progress_of
from ingot.web.call import PageCall
from ingot.web.guards import InGroup, InProject
from ingot.web.live import Live
from ingot.web.merge_steps import REQUEST
from ingot.web.registry import Pages
from ingot.web.states import box_state, job_state, pipeline_state, transfer_state

pages = Pages("project")
group = Pages("group")
BUILDS = InProject(READ_BUILDS)
MAINTAINERS = InProject(ADMIN_PROJECT, needs_user=True)
OWNERS = InGroup(OWN_GROUP, needs_user=True)
JOB = "/projects/:id/jobs/:job_id"
PIPELINE = "/projects/:id/pipelines/:pipeline_id"


@pages.get("jobs/{number:int}/events", guard=BUILDS)
def watch_job(call: PageCall) -> Live:
    """Says when the job or its log has changed; runners send their logs sooner while somebody watches."""
    return Live(call, ("job", call.project.id, call.path["number"]), _state_of_job, _state_of_job(call))


def _state_of_job(call: PageCall) -> str:
    job = call.ask(JOB, job_id=call.path["number"])
    watch_trace(call.services, job["id"])
    return job_state(job, trace_size(call.conn, job["id"]))


@pages.get("pipelines/{number:int}/events", guard=BUILDS)
def watch_pipeline(call: PageCall) -> Live:
    """Says when the state of the pipeline or of one of its jobs has changed."""
    subject = ("pipeline", call.project.id, call.path["number"])
    return Live(call, subject, _state_of_pipeline, _state_of_pipeline(call))


def _state_of_pipeline(call: PageCall) -> str:
    pipeline = call.ask(PIPELINE, pipeline_id=call.path["number"])
    call.require("GET", f"{PIPELINE}/jobs", pipeline_id=pipeline["id"])
    return pipeline_state(pipeline, states_of_jobs(call.conn, pipeline["id"]))


@pages.get("merge_requests/{iid:int}/events", guard=InProject(READ_MERGE_REQUESTS))
def watch_merge_box(call: PageCall) -> Live:
    """Says when what the merge box shows has changed."""
    # Not all who may read requests may read their pipelines.
    with_pipelines = READ_BUILDS.allows(call.actor, call.project)
    subject = ("merge request", call.project.id, call.path["iid"], with_pipelines)
    return Live(call, subject, _state_of_box, _state_of_box(call))


def _state_of_box(call: PageCall) -> str:
    iid = call.path["iid"]
    request = call.ask(REQUEST, merge_request_iid=iid, include_rebase_in_progress=True)
    return box_state(request, call.ask_or_none(f"{REQUEST}/approvals", merge_request_iid=iid))


@pages.get("export/events", guard=MAINTAINERS)
def watch_export(call: PageCall) -> Live:
    """Says when the visitor's own export of the project has come further."""
    return Live(call, ("export", call.project.id, call.actor.id), _state_of_export, _state_of_export(call))


def _state_of_export(call: PageCall) -> str:
    return transfer_state(export_progress(call.conn, call.project.id, call.actor.id))


@pages.get("import/events", guard=MAINTAINERS)
def watch_import(call: PageCall) -> Live:
    """Says when the import of the project has come further."""
    return Live(call, ("import", call.project.id), _state_of_import, _state_of_import(call))


def _state_of_import(call: PageCall) -> str:
    return transfer_state(progress_of(call.conn, call.project))


@group.get("export/events", guard=OWNERS)
def watch_group_export(call: PageCall) -> Live:
    """Says when the visitor's own export of the group has come further."""
    subject = ("group export", call.group.id, call.actor.id)
    return Live(call, subject, _state_of_group_export, _state_of_group_export(call))


def _state_of_group_export(call: PageCall) -> str:
    return transfer_state(export_state(call.conn, call.group.id, call.actor.id).progress)


@group.get("import/events", guard=OWNERS)
def watch_group_import(call: PageCall) -> Live:
    """Says when the import of the group has come further."""
    return Live(call, ("group import", call.group.id), _state_of_group_import, _state_of_group_import(call))


def _state_of_group_import(call: PageCall) -> str:
    state = import_state(call.conn, call.group.id)
    return transfer_state(None if state is None else state.progress)
