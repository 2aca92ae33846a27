"""Who may download artifacts, keep them and delete them."""

from typing import Any

from sqlalchemy import Connection

from ingot.access.abilities import ProjectAbility, is_open_to, load_project
from ingot.access.levels import DEVELOPER, MAINTAINER, Feature
from ingot.access.subjects import Project
from ingot.features.job_token_scope import require_reachable
from ingot.features.pipelines import get_plan, may_read_builds
from ingot.features.pipelines.artifact_types import ACCESSIBILITY
from ingot.features.projects import project_settings
from ingot.kit.actor import Actor
from ingot.kit.call import Call
from ingot.kit.errors import Forbidden, NotFound

KEEP_ARTIFACTS = ProjectAbility(ability="update_build", level=DEVELOPER, feature="builds", writes=True, needs_user=True)
DELETE_ARTIFACTS = ProjectAbility(
    ability="destroy_artifacts", level=MAINTAINER, feature="builds", writes=True, needs_user=True
)

_LEVELS = {"public": 0, "private": DEVELOPER, "maintainer": MAINTAINER}


class DownloadArtifacts:
    """Reading jobs, with the rules for job tokens."""

    ability = "read_job_artifacts"
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
    """Everybody may read these jobs: then the list does not matter."""
    return (
        is_open_to(actor, project)
        and project.feature("builds") >= Feature.ENABLED
        and project_settings(project).public_jobs
    )


DOWNLOAD_ARTIFACTS = DownloadArtifacts()


def may_read_artifacts(actor: Actor, project: Project, accessibility: str) -> bool:
    """What the job's configuration says about its artifacts; `none` shuts out everybody."""
    needed = _LEVELS.get(accessibility)
    return needed is not None and (needed == 0 or actor.is_admin or project.level >= needed)


def require_readable(conn: Connection, call: Call, job: Any, archive: Any) -> None:
    """Refuse callers whom the job's configuration shuts out, also when its archive is gone."""
    if archive is not None:
        accessibility = archive.accessibility
    else:
        plan = get_plan(conn, job.id)
        accessibility = ACCESSIBILITY[plan.artifacts.access] if plan is not None and plan.artifacts else "public"
    if not may_read_artifacts(call.actor, call.project, accessibility):
        raise Forbidden
