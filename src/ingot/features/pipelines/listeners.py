"""What pipelines do when other things happen: pushes and merge requests start them, deleted refs release artifacts."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, update

from ingot.access.events import MergeRequestChanged, ProjectDeleted, Pushed
from ingot.features.merge_requests.checks import pipeline_statuses
from ingot.features.pipelines.merge_request_pipelines import (
    create_for_change,
    head_pipeline_ids,
    note_head_pipeline,
)
from ingot.features.pipelines.push_pipelines import create_for_push
from ingot.features.pipelines.tables import pipelines
from ingot.kit.events import listen
from ingot.kit.services import Services


# After the heads of merge requests were refreshed: the new pipelines are noted on them.
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


@listen(MergeRequestChanged, order=80)
def start_merge_request_pipelines(services: Services, event: MergeRequestChanged) -> None:
    """A pipeline for the head of a request that was opened, reopened or pushed to."""
    if event.what in ("opened", "reopened", "pushed"):
        create_for_change(services, event.merge_request_id, event.user_id)


@listen(ProjectDeleted)
def delete_logs(services: Services, event: ProjectDeleted) -> None:
    """The logs of a deleted project's jobs."""
    services.blobs.delete_prefix(f"traces/{event.project_id}")


@pipeline_statuses
def statuses(conn: Connection, rows: Sequence[Any]) -> dict[int, str]:
    """The status of each request's head pipeline."""
    return {request_id: status for request_id, (_, status) in head_pipeline_ids(conn, rows).items()}
