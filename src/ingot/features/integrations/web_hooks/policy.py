"""Who may manage web hooks."""

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.levels import MAINTAINER, OWNER
from ingot.access.policy import ADMINISTRATOR

ADMIN_PROJECT_HOOKS = ProjectAbility(
    ability="admin_web_hook", level=MAINTAINER, needs_user=True, permission="admin_web_hook"
)
ADMIN_GROUP_HOOKS = GroupAbility(
    ability="admin_group_web_hook", level=OWNER, needs_user=True, permission="admin_web_hook"
)
ADMIN_SYSTEM_HOOKS = ADMINISTRATOR
