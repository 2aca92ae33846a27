"""Who may see and change runners."""

from dataclasses import replace

from sqlalchemy import ColumnElement, select, true

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.call import Call
from ingot.access.levels import MAINTAINER, OWNER, REPORTER
from ingot.access.subjects import Group, Project
from ingot.access.tables import project_authorizations
from ingot.features.ci.engine import ci_jobs
from ingot.features.ci.runners.queries import is_managed
from ingot.features.ci.runners.rows import RunnerRow
from ingot.features.ci.runners.tables import runners
from ingot.kit.actor import Actor
from ingot.kit.errors import Forbidden, NotFound

MANAGE_PROJECT_RUNNERS = ProjectAbility(ability="admin_runner", level=MAINTAINER, feature="builds", needs_user=True)
READ_PROJECT_RUNNERS = replace(MANAGE_PROJECT_RUNNERS, ability="read_runners", permission="read_runners")
READ_GROUP_RUNNERS = GroupAbility(
    ability="read_group_runners", level=MAINTAINER, needs_user=True, permission="read_runners"
)
MANAGE_GROUP_RUNNERS = GroupAbility(ability="admin_group_runners", level=OWNER, needs_user=True)


def may_manage(call: Call, runner: RunnerRow) -> bool:
    """Administrators all; maintainers those of their projects, owners those of their groups."""
    if call.actor.is_admin:
        return True
    managed = select(runners.c.id).where(runners.c.id == runner.id, is_managed(call.actor))
    return call.conn.execute(managed).first() is not None


def require_manager(call: Call, runner: RunnerRow) -> None:
    """Refuse everybody else; runners of other projects and groups are hidden from them."""
    if not may_manage(call, runner):
        raise Forbidden("No access granted") if runner.runner_type == "instance_type" else NotFound("Runner")


def require_reader(call: Call, runner: RunnerRow) -> None:
    """Everybody may read instance runners; others are for those who manage them."""
    if runner.runner_type != "instance_type":
        require_manager(call, runner)


def may_create_in_instance(actor: Actor) -> bool:
    """Runners for all projects are made by administrators."""
    return actor.is_admin


def may_create_in_group(actor: Actor, group: Group) -> bool:
    """Owners of the group."""
    return actor.is_admin or group.level >= OWNER


def may_create_in_project(actor: Actor, project: Project) -> bool:
    """Maintainers of the project."""
    return actor.is_admin or project.level >= MAINTAINER


def may_delete(actor: Actor, project_count: int) -> bool:
    """A runner of several projects is removed by administrators only."""
    return actor.is_admin or project_count <= 1


def in_readable_projects(actor: Actor) -> ColumnElement[bool]:
    """Condition on `ci_jobs`: the actor is at least a reporter in the job's project."""
    if actor.is_admin:
        return true()
    readable = select(project_authorizations.c.project_id).where(
        project_authorizations.c.user_id == actor.id, project_authorizations.c.access_level >= REPORTER
    )
    return ci_jobs.c.project_id.in_(readable)
