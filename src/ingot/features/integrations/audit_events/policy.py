"""Who may read audit events: Owners and Maintainers all of their place, Developers what they did themselves."""

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.levels import DEVELOPER, MAINTAINER, OWNER

READ_PROJECT_EVENTS = ProjectAbility(ability="read_project_audit_events", level=DEVELOPER, needs_user=True)
READ_GROUP_EVENTS = GroupAbility(ability="read_group_audit_events", level=DEVELOPER, needs_user=True)
READ_ALL_PROJECT_EVENTS = ProjectAbility(ability="admin_project", level=MAINTAINER, needs_user=True)
READ_ALL_GROUP_EVENTS = GroupAbility(ability="own_group", level=OWNER, needs_user=True)
