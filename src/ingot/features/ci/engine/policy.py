"""Rights on pipelines and jobs."""

from ingot.access.abilities import ProjectAbility, is_open_to, load_project
from ingot.access.call import Call
from ingot.access.caller_words import describe_callers
from ingot.access.levels import DEVELOPER, MAINTAINER, OWNER, REPORTER, Feature
from ingot.access.subjects import Project
from ingot.features.ci.engine.rows import JobRow, OnRefRow
from ingot.features.code.protected_branches import Protection
from ingot.features.spaces.projects import project_settings
from ingot.kit.actor import Actor
from ingot.kit.errors import Forbidden

CREATE_PIPELINE = ProjectAbility(
    ability="create_pipeline", level=DEVELOPER, feature="builds", writes=True, needs_user=True
)
UPDATE_JOBS = ProjectAbility(ability="update_build", level=DEVELOPER, feature="builds", writes=True, needs_user=True)
UPDATE_PIPELINE = ProjectAbility(
    ability="update_pipeline", level=DEVELOPER, feature="builds", writes=True, needs_user=True
)
DELETE_PIPELINE = ProjectAbility(ability="destroy_pipeline", level=OWNER, feature="builds", needs_user=True)
ADMIN_CI = ProjectAbility(ability="admin_build", level=MAINTAINER, feature="builds", needs_user=True)
CREATE_SCHEDULE = ProjectAbility(
    ability="create_pipeline_schedule", level=DEVELOPER, feature="builds", writes=True, needs_user=True
)


def may_read_builds(actor: Actor, project: Project) -> bool:
    """Reporters always; guests and non-members only while jobs are public."""
    feature = project.feature("builds")
    if feature is Feature.DISABLED:
        return False
    if actor.is_admin or project.level >= REPORTER:
        return True
    if not project_settings(project).public_jobs:
        return False
    if project.level > 0:
        return True
    return is_open_to(actor, project) and feature >= Feature.ENABLED


class ReadBuilds:
    """Reading jobs, pipelines and their outputs."""

    ability = "read_build"

    def __init__(self, *, needs_user: bool) -> None:
        self.needs_user = needs_user
        self.callers = describe_callers("project", REPORTER) + "; if jobs are public, everyone who can see the project"
        if needs_user:
            self.callers += " and is signed in"

    def admit(self, call: Call) -> None:
        """Load the project named by the path, then check the right."""
        call.project = load_project(call)
        self.require(call.actor, call.project)

    def require(self, actor: Actor, project: Project) -> None:
        """Raise unless the actor may read jobs of the project."""
        if not may_read_builds(actor, project):
            raise Forbidden


READ_PIPELINES = ReadBuilds(needs_user=False)
READ_JOBS = ReadBuilds(needs_user=True)


def may_change(protection: Protection, row: OnRefRow) -> bool:
    """Jobs and pipelines of a protected ref are for those who may push or merge there."""
    if not row.is_protected:
        return True
    if row.is_tag:
        return protection.may_create_tag(row.ref)
    return protection.may_push(row.ref) or protection.may_merge(row.ref)


def may_run_for(protection: Protection, name: str, *, is_tag: bool) -> bool:
    """Pipelines of a protected ref are for those who may push or merge there."""
    if is_tag:
        return not protection.is_protected_tag(name) or protection.may_create_tag(name)
    return not protection.is_protected(name) or protection.may_push(name) or protection.may_merge(name)


def may_erase(actor: Actor, project: Project, job: JobRow) -> bool:
    """Maintainers; developers only what they started themselves on an unprotected ref."""
    if actor.is_admin or project.level >= MAINTAINER:
        return True
    return bool(project.level >= DEVELOPER and job.user_id == actor.user_id and not job.is_protected)


_CANCEL_LEVELS = {"developer": DEVELOPER, "maintainer": MAINTAINER, "owner": OWNER}


def may_cancel(actor: Actor, project: Project) -> bool:
    """The project may keep cancelling for maintainers, or forbid it."""
    needed = _CANCEL_LEVELS.get(project_settings(project).ci_restrict_pipeline_cancellation_role)
    return needed is not None and (actor.is_admin or project.level >= needed)
