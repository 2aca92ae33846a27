"""Who may download artifacts, keep them and delete them."""

from sqlalchemy import Connection, func, select

from ingot.access.abilities import ProjectAbility, is_open_to, load_project
from ingot.access.call import Call
from ingot.access.levels import DEVELOPER, MAINTAINER, Feature
from ingot.access.subjects import Project
from ingot.features.ci.engine import READ_PIPELINES, ci_jobs, get_plan, may_read_builds, pipelines
from ingot.features.ci.job_artifacts.rows import ArchiveRow
from ingot.features.ci.job_outputs import ACCESSIBILITY, has_artifact_level
from ingot.features.code.job_token_scope import is_reachable, require_reachable
from ingot.features.spaces.projects import project_settings
from ingot.kit.actor import Actor
from ingot.kit.errors import Forbidden, NotFound

KEEP_ARTIFACTS = ProjectAbility(ability="update_build", level=DEVELOPER, feature="builds", writes=True, needs_user=True)
DELETE_ARTIFACTS = ProjectAbility(
    ability="destroy_artifacts", level=MAINTAINER, feature="builds", writes=True, needs_user=True
)


class DownloadArtifacts:
    """Reading jobs, with the rules for job tokens."""

    ability = "read_job_artifacts"
    callers = READ_PIPELINES.callers
    needs_user = False

    def admit(self, call: Call) -> None:
        """The project, the right to read its jobs, then what a job token may reach."""
        call.project = load_project(call)
        if not may_read_builds(call.actor, call.project):
            raise Forbidden
        if call.actor.token_kind == "job":
            # spec: downloads by job token are a feature of the paid tiers, even in the job's own project
            if not call.services.settings.has_tier("premium"):
                raise NotFound("Project")
            if not is_open(call.actor, call.project):
                require_reachable(call.conn, call.actor, call.project)


def is_open(actor: Actor, project: Project) -> bool:
    """Everybody may read these jobs, so the allowlist does not matter."""
    return (
        is_open_to(actor, project)
        and project.feature("builds") >= Feature.ENABLED
        and project_settings(project).public_jobs
    )


DOWNLOAD_ARTIFACTS = DownloadArtifacts()


def may_read_artifacts(conn: Connection, actor: Actor, project: Project, accessibility: str) -> bool:
    """Whether the job's configuration lets this actor have its artifacts.

    Restricted artifacts are refused to tokens of jobs whose project is not on the allowlist, as in a private project.
    """
    if not has_artifact_level(actor, project, accessibility):
        return False
    if actor.token_kind != "job" or (accessibility == "public" and is_open(actor, project)):
        return True
    return is_reachable(conn, actor, project)


def accessibility_of(conn: Connection, job_id: int, archive: ArchiveRow | None) -> str:
    """As stored with the archive, or from the job's configuration where the archive is gone."""
    if archive is not None:
        return str(archive.accessibility)
    plan = get_plan(conn, job_id)
    return ACCESSIBILITY[plan.artifacts.access] if plan is not None and plan.artifacts else "public"


def require_readable(conn: Connection, actor: Actor, project: Project, job_id: int, archive: ArchiveRow | None) -> None:
    """Refuse callers whom the job's configuration excludes, also when its archive is gone."""
    if not may_read_artifacts(conn, actor, project, accessibility_of(conn, job_id, archive)):
        raise Forbidden


def is_of_own_pipeline(conn: Connection, actor: Actor, pipeline_id: int) -> bool:
    """The token's job runs in that pipeline, or in a parent or child of it in the same project.

    spec: jobs of one pipeline hand their archives on whatever `artifacts:access` says
    """
    if actor.token_kind != "job":
        return False
    own, other = pipelines.alias("own"), pipelines.alias("other")
    same_tree = (
        select(other.c.id)
        .select_from(ci_jobs.join(own, own.c.id == ci_jobs.c.pipeline_id))
        .join(
            other,
            (func.coalesce(other.c.root_id, other.c.id) == func.coalesce(own.c.root_id, own.c.id))
            & (other.c.project_id == own.c.project_id),
        )
        .where(ci_jobs.c.id == actor.job_id, other.c.id == pipeline_id)
    )
    return conn.execute(same_tree).first() is not None
