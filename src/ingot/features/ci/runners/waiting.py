"""Why a job waits, for people: no runner serves its project, none has its tags, or all are busy."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, func, or_, select

from ingot.access.tables import namespace_ancestors, projects
from ingot.features.ci.engine import ci_jobs, job_tags
from ingot.features.ci.runners.contact import runner_status
from ingot.features.ci.runners.tables import runner_groups, runner_projects, runners
from ingot.features.spaces.projects import project_settings

MOST = 100  # jobs before one that are counted


def why_job_waits(conn: Connection, job_id: int) -> str:
    """A sentence; empty for jobs that do not wait for a runner."""
    query = (
        select(ci_jobs.c.project_id, ci_jobs.c.is_protected, projects.c.namespace_id, projects.c.settings)
        .join_from(ci_jobs, projects, projects.c.id == ci_jobs.c.project_id)
        .where(ci_jobs.c.id == job_id, ci_jobs.c.status == "pending", ci_jobs.c.kind == "build")
    )
    job = conn.execute(query).one_or_none()
    if job is None:
        return ""
    own = select(runner_projects.c.runner_id).where(runner_projects.c.project_id == job.project_id)
    above = (
        select(runner_groups.c.runner_id)
        .join(namespace_ancestors, namespace_ancestors.c.ancestor_id == runner_groups.c.group_id)
        .where(namespace_ancestors.c.namespace_id == job.namespace_id)
    )
    settings = project_settings(job)
    kinds: list[ColumnElement[bool]] = [runners.c.id.in_(own)]
    kinds += [runners.c.id.in_(above)] if settings.group_runners_enabled else []
    kinds += [runners.c.runner_type == "instance_type"] if settings.shared_runners_enabled else []
    serving = conn.execute(select(runners).where(runners.c.active.is_(True), or_(*kinds))).all()
    tags = list(
        conn.execute(select(job_tags.c.tag).where(job_tags.c.job_id == job_id).order_by(job_tags.c.tag)).scalars()
    )
    if not serving:
        return "No runner serves this project. A maintainer can add one in the settings of CI/CD."
    fitting = [row for row in serving if set(tags) <= set(row.tag_list) and (tags or row.run_untagged)]
    if not fitting:
        return _without_tags(tags)
    fitting = [row for row in fitting if row.access_level != "ref_protected" or job.is_protected]
    if not fitting:
        return "The runners that fit take only jobs of protected branches and tags."
    if not any(runner_status(row.contacted_at, row.created_at) == "online" for row in fitting):
        return "The runners that fit have not been heard of lately. Check that they run."
    return f"It waits for a free runner. {_queue_place(conn, job_id)}".rstrip()


def _queue_place(conn: Connection, job_id: int) -> str:
    """How many jobs of the instance have waited longer, up to a number that says enough."""
    is_before = (ci_jobs.c.status == "pending") & (ci_jobs.c.kind == "build") & (ci_jobs.c.id < job_id)
    counted = select(ci_jobs.c.id).where(is_before).limit(MOST).subquery()
    before = conn.execute(select(func.count()).select_from(counted)).scalar_one()
    if not before:
        return "It is the next."
    number = "One job has" if before == 1 else f"{before} jobs have" if before < MOST else f"{MOST} jobs or more have"
    return f"{number} waited longer."


def _without_tags(tags: Sequence[str]) -> str:
    if not tags:
        return "All runners of this project ask for tags, and this job has none."
    words = f"the tag {tags[0]}" if len(tags) == 1 else f"the tags {', '.join(tags)}"
    return f"No runner with {words} serves this project."
