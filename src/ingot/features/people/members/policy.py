"""Who manages members: Owners of a group, Maintainers of a project."""

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.levels import MAINTAINER, OWNER

MANAGE_GROUP_MEMBERS = GroupAbility(
    ability="admin_group_member", level=OWNER, needs_user=True, permission="admin_group_member"
)
MANAGE_PROJECT_MEMBERS = ProjectAbility(ability="admin_project_member", level=MAINTAINER, needs_user=True)
