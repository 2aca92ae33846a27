"""Who may read and plan milestones."""

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.levels import PLANNER

READ_MILESTONES = ProjectAbility(ability="read_milestone", outsiders=True)
ADMIN_MILESTONES = ProjectAbility(ability="admin_milestone", level=PLANNER, writes=True, needs_user=True)
READ_GROUP_MILESTONES = GroupAbility(ability="read_group_milestone", outsiders=True)
ADMIN_GROUP_MILESTONES = GroupAbility(ability="admin_group_milestone", level=PLANNER, needs_user=True)
