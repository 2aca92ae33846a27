"""What jobs of a stored pipeline learn about its schedule, trigger, tag and open merge requests."""

from typing import Any

from sqlalchemy import Connection, select

from ingot.features.ci.engine import PipelineRow, open_merge_requests, tag_message
from ingot.features.ci.pipeline_schedules import pipeline_schedules
from ingot.features.ci.pipeline_triggers import pipeline_triggers, short_token
from ingot.gitstore import Repository
from ingot.kit.sealing import unseal
from ingot.kit.services import Services


def pipeline_context(
    services: Services, conn: Connection, pipeline: PipelineRow, repository: Repository
) -> dict[str, Any]:
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
