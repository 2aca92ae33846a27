"""Who manages integrations."""

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.levels import MAINTAINER

READ_INTEGRATIONS = ProjectAbility(ability="read_integrations", level=MAINTAINER, needs_user=True)
ADMIN_INTEGRATIONS = ProjectAbility(ability="admin_integrations", level=MAINTAINER, writes=True, needs_user=True)
ADMIN_GROUP_INTEGRATIONS = GroupAbility(ability="admin_group_integrations", level=MAINTAINER, needs_user=True)
