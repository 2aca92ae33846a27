"""Pipelines as commits and refs show them."""

from collections.abc import Collection

from sqlalchemy import Connection, func, select

from ingot.access.call import Call
from ingot.access.subjects import Project
from ingot.features.ci.engine import PipelineRow, may_read_builds, pipelines
from ingot.features.code.pushing import remembers_refs
from ingot.features.code.repository import LastPipeline, pipeline_source, project_url
from ingot.kit.entity import wire


@pipeline_source
def last_pipelines(call: Call, commits: Collection[tuple[Project, str]]) -> dict[tuple[int, str], LastPipeline]:
    """The newest pipelines of commits, for callers who may read pipelines; child pipelines do not count."""
    named = {project.id: project for project, _ in commits}
    read = {key: project for key, project in named.items() if may_read_builds(call.actor, project)}
    if not read:
        return {}
    shas, columns = {sha for project, sha in commits if project.id in read}, pipelines.c
    newest = (
        select(func.max(columns.id))
        .where(columns.project_id.in_(read), columns.sha.in_(shas), columns.parent_id.is_(None))
        .group_by(columns.project_id, columns.sha)
    )
    rows = call.conn.execute(select(pipelines).where(columns.id.in_(newest)))
    return {(row.project_id, row.sha): _short_form(call, read[row.project_id], row) for row in rows}


def _short_form(call: Call, project: Project, row: PipelineRow) -> LastPipeline:
    return LastPipeline(
        id=row.id,
        iid=row.iid,
        project_id=row.project_id,
        sha=row.sha,
        ref=row.ref,
        status=row.status,
        source=row.source,
        created_at=wire(row.created_at),
        updated_at=wire(row.updated_at),
        web_url=f"{project_url(call.base_url, project)}/-/pipelines/{row.id}",
    )


@remembers_refs
def followed_from(conn: Connection, project_id: int, name: str, sha: str) -> bool:
    """A pipeline of the ref started while the ref was at this commit."""
    query = select(pipelines.c.id).where(
        pipelines.c.project_id == project_id, pipelines.c.ref == name, pipelines.c.before_sha == sha
    )
    return conn.execute(query.limit(1)).first() is not None
