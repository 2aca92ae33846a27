"""Who manages members: Owners of a group, Maintainers of a project."""

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.call import Call
from ingot.access.levels import MAINTAINER, OWNER
from ingot.features.people.members.queries import is_membership_locked
from ingot.features.people.members.source import Source
from ingot.kit.errors import MethodNotAllowed

MANAGE_GROUP_MEMBERS = GroupAbility(
    ability="admin_group_member", level=OWNER, needs_user=True, permission="admin_group_member"
)
MANAGE_PROJECT_MEMBERS = ProjectAbility(ability="admin_project_member", level=MAINTAINER, needs_user=True)


def require_unlocked(call: Call, source: Source) -> None:
    """A parent group may lock the members of its projects; administrators can still add some."""
    if not source.is_group and not call.actor.is_admin and is_membership_locked(call.conn, source):
        raise MethodNotAllowed
