"""Who may see and change runners."""

from dataclasses import replace

from sqlalchemy import select

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.call import Call
from ingot.access.levels import MAINTAINER, OWNER
from ingot.features.ci.runners.queries import is_held
from ingot.features.ci.runners.rows import RunnerRow
from ingot.features.ci.runners.tables import runners
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
    held = select(runners.c.id).where(runners.c.id == runner.id, is_held(call.actor))
    return call.conn.execute(held).first() is not None


def require_manager(call: Call, runner: RunnerRow) -> None:
    """Refuse everybody else; runners of other projects and groups are hidden from them."""
    if not may_manage(call, runner):
        raise Forbidden("No access granted") if runner.runner_type == "instance_type" else NotFound("Runner")


def require_reader(call: Call, runner: RunnerRow) -> None:
    """Runners of the instance are there for all; others for those who manage them."""
    if runner.runner_type != "instance_type":
        require_manager(call, runner)
