"""Who may read and change boards."""

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.levels import PLANNER

READ_BOARDS = ProjectAbility(ability="read_issue_board", feature="issues", outsiders=True, needs_user=True)
ADMIN_BOARDS = ProjectAbility(
    ability="admin_issue_board", level=PLANNER, feature="issues", writes=True, needs_user=True
)
READ_GROUP_BOARDS = GroupAbility(ability="read_group_issue_board", outsiders=True, needs_user=True)
ADMIN_GROUP_BOARDS = GroupAbility(ability="admin_group_issue_board", level=PLANNER, needs_user=True)
