"""Old pipelines: a project may have them deleted after a time of its choosing."""

from datetime import timedelta

from sqlalchemy import select

from ingot.access.tables import projects
from ingot.features.ci.engine import COMPLETED, pipelines
from ingot.features.ci.job_outputs.erasing import delete_pipeline
from ingot.features.spaces.projects import project_settings
from ingot.kit.clock import now
from ingot.kit.services import Services

_BATCH = 100


def delete_old_pipelines(services: Services) -> int:
    """Delete ended pipelines that are older than their project wants to keep; returns how many."""
    setting = projects.c.settings["ci_delete_pipelines_in_seconds"].as_integer()
    with services.db.read() as conn:
        query = select(projects.c.id, projects.c.settings).where(setting > 0)
        limits = {
            row.id: project_settings(row).ci_delete_pipelines_in_seconds or 0 for row in conn.execute(query).all()
        }
    return sum(_delete_in(services, project_id, seconds) for project_id, seconds in limits.items())


def _delete_in(services: Services, project_id: int, seconds: int) -> int:
    with services.db.read() as conn:
        old = (
            conn.execute(
                select(pipelines.c.id)
                .where(
                    pipelines.c.project_id == project_id,
                    pipelines.c.created_at < now() - timedelta(seconds=seconds),
                    pipelines.c.status.in_(COMPLETED),
                )
                .order_by(pipelines.c.id)
                .limit(_BATCH)
            )
            .scalars()
            .all()
        )
    for pipeline_id in old:
        with services.db.write() as tx:
            delete_pipeline(tx, pipeline_id)
    return len(old)
