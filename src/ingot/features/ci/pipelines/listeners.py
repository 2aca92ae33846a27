"""Reactions to events: pushes and merge requests start pipelines, deleted refs release artifacts."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, select, update

from ingot.access.call import Call
from ingot.access.tables import projects
from ingot.events import MergeRequestChanged, ProjectDeleted, ProjectSettingsChanged, Pushed
from ingot.features.ci.deployments import first_production_deployment
from ingot.features.ci.engine import may_read_builds, pipelines
from ingot.features.ci.pipelines import last_pipelines
from ingot.features.ci.pipelines.entities.pipeline import present_pipelines
from ingot.features.ci.pipelines.merge_request_pipelines import (
    create_for_change,
    head_pipelines,
    is_pipeline_readable,
    note_head_pipeline,
    short_form,
    whole_head_pipeline,
)
from ingot.features.ci.pipelines.push_pipelines import create_for_push
from ingot.features.review.merge_requests import MergeRequestRow, adds_to_single, pipeline_statuses
from ingot.features.spaces.projects import keeps_commits, project_settings
from ingot.kit.events import listen
from ingot.kit.services import Services

REGISTERED = (last_pipelines,)  # importing it registers what commits show of pipelines


# Runs after the heads of merge requests were refreshed: new pipelines are recorded on them.
@listen(Pushed, order=80)
def start_push_pipelines(services: Services, event: Pushed) -> None:
    """A pipeline for each branch or tag that moved."""
    for pipeline_id in create_for_push(services, event):
        note_head_pipeline(services, pipeline_id)


@listen(Pushed, order=85)
def unlock_deleted_refs(services: Services, event: Pushed) -> None:
    """Artifacts of a ref that is gone may expire."""
    for change in event.changes:
        name = change.branch or change.tag
        if change.is_deletion and name is not None:
            with services.db.write() as tx:
                tx.execute(
                    update(pipelines)
                    .where(
                        pipelines.c.project_id == event.project_id,
                        pipelines.c.ref == name,
                        pipelines.c.is_tag.is_(change.tag is not None),
                    )
                    .values(is_locked=False)
                )


@listen(ProjectSettingsChanged)
def unlock_everything(services: Services, event: ProjectSettingsChanged) -> None:
    """A project that no longer keeps its latest artifacts releases all of them."""
    if "keep_latest_artifact" not in event.names:
        return
    with services.db.write() as tx:
        row = tx.execute(select(projects).where(projects.c.id == event.project_id)).one_or_none()
        if row is not None and not project_settings(row).keep_latest_artifact:
            tx.execute(update(pipelines).where(pipelines.c.project_id == event.project_id).values(is_locked=False))


@listen(MergeRequestChanged, order=80)
def start_merge_request_pipelines(services: Services, event: MergeRequestChanged) -> None:
    """A pipeline for the head of a request that was opened, reopened or pushed to."""
    if event.what in ("opened", "reopened", "pushed"):
        create_for_change(services, event.merge_request_id, event.user_id)


@listen(ProjectDeleted)
def delete_logs(services: Services, event: ProjectDeleted) -> None:
    """The logs of a deleted project's jobs."""
    services.blobs.delete_prefix(f"traces/{event.project_id}")


@keeps_commits
def commits_of_pipelines(conn: Connection, project_id: int) -> Iterable[str | None]:
    """Pipelines can be shown and retried after their branch is gone."""
    return conn.execute(select(pipelines.c.sha).where(pipelines.c.project_id == project_id).distinct()).scalars()


@pipeline_statuses
def statuses(conn: Connection, rows: Sequence[MergeRequestRow]) -> dict[int, str]:
    """The status of each request's head pipeline."""
    return {request_id: pipeline.status for request_id, pipeline in head_pipelines(conn, rows).items()}


@adds_to_single
def pipeline_keys(call: Call, row: MergeRequestRow) -> dict[str, Any]:
    """The keys of a merge request about its pipeline, for callers who may read pipelines."""
    if not call.shows("head_pipeline") or not may_read_builds(call.actor, call.project):
        return {}
    head = whole_head_pipeline(call.conn, row)
    if head is not None and not is_pipeline_readable(call, row, head):
        head = None
    whole = present_pipelines(call.conn, [head], call.base_url)[0] if head is not None else None
    short = short_form(whole) if whole is not None else None
    # Deployments include merged requests only.
    deployed_at = first_production_deployment(call.conn, row.id) if row.state == "merged" else None
    return {
        "latest_build_started_at": whole.started_at if whole is not None else None,
        "latest_build_finished_at": whole.finished_at if whole is not None else None,
        "first_deployed_to_production_at": deployed_at,
        "pipeline": short,
        "head_pipeline": whole,
    }
