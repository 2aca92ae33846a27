"""Who may read and change push rules."""

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.levels import MAINTAINER, OWNER
from ingot.kit.errors import NotFound

ADMIN_PUSH_RULES = ProjectAbility(
    ability="admin_push_rules", level=MAINTAINER, needs_user=True, permission="admin_push_rules"
)
CHANGE_PUSH_RULES = ProjectAbility(
    ability="change_push_rules", level=MAINTAINER, needs_user=True, writes=True, permission="admin_push_rules"
)
ADMIN_GROUP_PUSH_RULES = GroupAbility(
    ability="admin_group_push_rules", level=OWNER, needs_user=True, permission="admin_push_rules", refusal=NotFound
)
