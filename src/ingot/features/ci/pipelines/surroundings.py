"""What surrounds a pipeline and is told to its jobs: open merge requests of the branch, tag, schedule, trigger."""

from typing import Any

from sqlalchemy import Connection, select

from ingot.access.tables import projects
from ingot.features.ci.pipelines.tables import pipeline_schedules, pipeline_triggers
from ingot.gitstore import GitError, Repository
from ingot.gitstore.listing import find_tag
from ingot.kit.sealing import unseal
from ingot.kit.services import Services

TRIGGER_PREFIX = "glptt-"
_MAX_REQUESTS = 4


def short_token(clear: str) -> str:
    """What may be shown of a trigger token."""
    return clear.removeprefix(TRIGGER_PREFIX)[:4]


def open_merge_requests(conn: Connection, project_id: int, branch: str) -> tuple[str, ...]:
    """Open merge requests from this branch, as `group/project!7`."""
    from ingot.features.review.merge_requests import merge_requests

    rows = conn.execute(
        select(projects.c.full_path, merge_requests.c.iid)
        .join_from(merge_requests, projects, projects.c.id == merge_requests.c.project_id)
        .where(
            merge_requests.c.source_project_id == project_id,
            merge_requests.c.source_branch == branch,
            merge_requests.c.state == "opened",
        )
        .order_by(merge_requests.c.id.desc())
        .limit(_MAX_REQUESTS)
    )
    return tuple(f"{row.full_path}!{row.iid}" for row in rows)


def tag_message(repository: Repository, name: str) -> str | None:
    """The message of an annotated tag."""
    try:
        tag = find_tag(repository, name)
    except GitError:
        return None
    return None if tag is None else tag.message


def surroundings_of(services: Services, conn: Connection, pipeline: Any, repository: Repository) -> dict[str, Any]:
    """Of a stored pipeline, by the names of `PipelineFacts`."""
    schedule = select(pipeline_schedules.c.description).where(pipeline_schedules.c.id == (pipeline.schedule_id or 0))
    token = select(pipeline_triggers.c.sealed_token).where(pipeline_triggers.c.id == (pipeline.trigger_id or 0))
    sealed = conn.execute(token).scalar_one_or_none() if pipeline.trigger_id is not None else None
    is_branch = not pipeline.is_tag and pipeline.merge_request_id is None
    return {
        "schedule_description": (
            conn.execute(schedule).scalar_one_or_none() if pipeline.schedule_id is not None else None
        ),
        "trigger_short_token": None if sealed is None else short_token(unseal(services, sealed)),
        "tag_message": tag_message(repository, pipeline.ref) if pipeline.is_tag else None,
        "open_merge_requests": open_merge_requests(conn, pipeline.project_id, pipeline.ref) if is_branch else (),
    }
