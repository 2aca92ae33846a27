"""Why a job waits, for people: no runner serves its project, none has its tags, or all are busy."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, func, or_, select

from ingot.access.subjects import Project
from ingot.access.tables import namespace_ancestors
from ingot.features.ci.engine import JobRow, ci_jobs
from ingot.features.ci.runners.contact import runner_status
from ingot.features.ci.runners.tables import runner_groups, runner_projects, runners
from ingot.features.spaces.projects import project_settings
from ingot.kit.statements import lasting

MOST = 100  # jobs before one that are counted


def why_job_waits(conn: Connection, job: JobRow, project: Project) -> str:
    """A sentence, about a job of the project that waits for a runner."""
    settings, tags = project_settings(project.row), job.tag_list
    statement = _serving(in_groups=settings.group_runners_enabled, shared=settings.shared_runners_enabled)
    serving = conn.execute(statement, {"project_id": project.id, "namespace_id": project.row.namespace_id}).all()
    if not serving:
        return "No runners are available for this project. A maintainer can add one in the CI/CD settings."
    fitting = [row for row in serving if set(tags) <= set(row.tag_list) and (tags or row.run_untagged)]
    if not fitting:
        return _without_tags(tags)
    fitting = [row for row in fitting if row.access_level != "ref_protected" or job.is_protected]
    if not fitting:
        return "The matching runners only accept jobs from protected branches and tags."
    if not _is_any_online(conn, [row.id for row in fitting]):
        return "The matching runners have not been seen recently. Check that they are running."
    return f"Waiting for a free runner. {_queue_place(conn, job.id)}".rstrip()


@cache
def _serving(*, in_groups: bool, shared: bool) -> Select[Any]:
    """The active runners of a project: its own, those of the groups above it, and those of the instance."""
    own = select(runner_projects.c.runner_id).where(runner_projects.c.project_id == bindparam("project_id"))
    above = (
        select(runner_groups.c.runner_id)
        .join(namespace_ancestors, namespace_ancestors.c.ancestor_id == runner_groups.c.group_id)
        .where(namespace_ancestors.c.namespace_id == bindparam("namespace_id"))
    )
    kinds: list[ColumnElement[bool]] = [runners.c.id.in_(own)]
    kinds += [runners.c.id.in_(above)] if in_groups else []
    kinds += [runners.c.runner_type == "instance_type"] if shared else []
    columns = (runners.c.id, runners.c.tag_list, runners.c.run_untagged, runners.c.access_level)
    return lasting(select(*columns).where(runners.c.active.is_(True), or_(*kinds)))


_CONTACTS = select(runners.c.contacted_at, runners.c.created_at).where(
    runners.c.id.in_(bindparam("ids", expanding=True))
)


def _is_any_online(conn: Connection, ids: Sequence[int]) -> bool:
    rows = conn.execute(_CONTACTS, {"ids": ids})
    return any(runner_status(row.contacted_at, row.created_at) == "online" for row in rows)


def _queue_place(conn: Connection, job_id: int) -> str:
    """How many jobs of the instance have waited longer, up to a number that says enough."""
    is_before = (ci_jobs.c.status == "pending") & (ci_jobs.c.kind == "build") & (ci_jobs.c.id < job_id)
    counted = select(ci_jobs.c.id).where(is_before).limit(MOST).subquery()
    before = conn.execute(select(func.count()).select_from(counted)).scalar_one()
    if not before:
        return "This job is next."
    number = "One job has" if before == 1 else f"{before} jobs have" if before < MOST else f"{MOST} jobs or more have"
    return f"{number} been waiting longer."


def _without_tags(tags: Sequence[str]) -> str:
    if not tags:
        return "All runners of this project require tags, but this job has none."
    words = f"the tag {tags[0]}" if len(tags) == 1 else f"the tags {', '.join(tags)}"
    return f"No runner with {words} is available for this project."
