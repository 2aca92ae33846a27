"""Who may read and manage labels."""

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.levels import PLANNER

# They belong to issues and merge requests: who may see neither sees no label.
USES = ("issues", "merge_requests")
READ_LABELS = ProjectAbility(ability="read_label", one_of=USES, outsiders=True)
ADMIN_LABELS = ProjectAbility(ability="admin_label", level=PLANNER, one_of=USES, writes=True, needs_user=True)
READ_GROUP_LABELS = GroupAbility(ability="read_group_label", outsiders=True)
ADMIN_GROUP_LABELS = GroupAbility(ability="admin_group_label", level=PLANNER, needs_user=True)
