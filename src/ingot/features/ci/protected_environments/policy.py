"""Who may read and change protected environments."""

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.levels import MAINTAINER, OWNER

READ_PROTECTED_ENVIRONMENTS = ProjectAbility(ability="read_protected_environment", level=MAINTAINER, needs_user=True)
ADMIN_PROTECTED_ENVIRONMENTS = ProjectAbility(
    ability="admin_protected_environment", level=MAINTAINER, writes=True, needs_user=True
)
ADMIN_GROUP_PROTECTED_ENVIRONMENTS = GroupAbility(
    ability="admin_group_protected_environment", level=OWNER, needs_user=True
)
