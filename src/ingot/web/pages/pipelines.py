"""Pipelines and jobs."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from starlette.responses import Response

from ingot.access.policy import READ_BUILDS
from ingot.features.ci.pipelines import job_counts, starter_of, states_of_jobs
from ingot.features.people.user_pages import local_path
from ingot.web.answers import PipelineOfCommit
from ingot.web.call import PageCall, View
from ingot.web.failure_words import failure_words
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.list_facts import pipeline_facts
from ingot.web.pipeline_jobs import PIPELINE, PipelineJob, acts_of, all_jobs
from ingot.web.registry import Pages
from ingot.web.sending import done, text
from ingot.web.states import pipeline_state
from ingot.web.time_left import seconds_since, time_left

pages = Pages("project")
BUILDS = InProject(READ_BUILDS)
MOST_RELATIVES = 20  # each is looked up
PIPELINE_DONE = {"cancel": "Pipeline cancelled.", "retry": "Failed jobs retried."}
PIPELINE_STATES = ("running", "pending", "success", "failed", "canceled")
PIPELINE_SOURCES = {
    "push": "Pushes", "merge_request_event": "Merge requests", "schedule": "Schedules", "web": "Pages", "api": "API",
    "trigger": "Triggers", "pipeline": "Other projects' pipelines", "parent_pipeline": "Parent pipelines",
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


@pages.get("pipelines/{number:int}", guard=BUILDS)
def show_pipeline(call: PageCall) -> View:
    """One pipeline: its jobs by stage."""
    number = call.path["number"]
    pipeline = call.ask(PIPELINE, pipeline_id=number)
    jobs = all_jobs(call, number)
    stages = [(stage, list(part)) for stage, part in groupby(jobs, key=lambda job: job["stage"])]
    head = pipeline_head(call, pipeline)
    rights = {"can_update": bool(head["can_update"]), "can_cancel": bool(head["can_cancel"])}
    return project_view(
        call,
        "pipeline",
        "pipelines",
        **head,
        stages=stages,
        live=pipeline_state(pipeline, states_of_jobs(call.conn, pipeline["id"])),
        **_relatives(call, pipeline["id"], jobs),
        failed=[job for job in jobs if job["status"] == "failed" and not job["allow_failure"]],
        failure_words=failure_words,
        acts=acts_of(call, jobs, **rights) if call.session is not None else {},
    )


def pipeline_head(call: PageCall, pipeline: PipelineOfCommit) -> dict[str, object]:
    """What all pages of a pipeline begin with."""
    number = pipeline["id"]
    return {
        "pipeline": pipeline,
        "commit": call.ask_part_or_none(
            ("last_pipeline",), "/projects/:id/repository/commits/:sha", sha=pipeline["sha"], stats=False
        ),
        "time_left": time_left(call, pipeline),
        "gone": seconds_since(pipeline) if pipeline["status"] == "running" else None,
        "job_counts": job_counts(call.conn, number),
        "can_update": call.may("POST", f"{PIPELINE}/retry", pipeline_id=number),
        "can_cancel": call.may("POST", f"{PIPELINE}/cancel", pipeline_id=number),
        "can_delete": call.may("DELETE", PIPELINE, pipeline_id=number),
    }


def _relatives(call: PageCall, number: int, jobs: Sequence[PipelineJob]) -> dict[str, object]:
    """The pipeline that started this one, and those that its jobs started, where the visitor may see them."""
    above = starter_of(call.conn, number)
    below = [row for job in jobs if (row := job["downstream_pipeline"])]
    elsewhere = [row for row in below if row["project_id"] != call.project.id][:MOST_RELATIVES]
    seen: list[Any] = [visible_pipeline(call, row["project_id"], row["id"]) for row in elsewhere]
    here = [row for row in below if row["project_id"] == call.project.id]
    return {
        "started_by": visible_pipeline(call, above.project_id, above.id) if above else None,
        "started": {row["id"]: row for row in (*here, *filter(None, seen))},
    }


# Any: a record of the API.
def visible_pipeline(call: PageCall, project: int, number: int) -> Any:
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
    here = f"/{call.project.full_path}/-/pipelines/{call.path['number']}"
    return done(call, local_path(text(call, "back"), here), PIPELINE_DONE[verb])
