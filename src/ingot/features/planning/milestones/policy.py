"""Who may read and plan milestones."""

from sqlalchemy import ColumnElement, or_

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.levels import GUEST, PLANNER
from ingot.access.visibility import feature_readable
from ingot.kit.actor import Actor

# They belong to issues and merge requests: who may see neither sees no milestone.
USES = ("issues", "merge_requests")
READ_MILESTONES = ProjectAbility(ability="read_milestone", one_of=USES, outsiders=True)
ADMIN_MILESTONES = ProjectAbility(ability="admin_milestone", level=PLANNER, one_of=USES, writes=True, needs_user=True)
READ_GROUP_MILESTONES = GroupAbility(ability="read_group_milestone", outsiders=True)
ADMIN_GROUP_MILESTONES = GroupAbility(ability="admin_group_milestone", level=PLANNER, needs_user=True)


def milestones_shown(actor: Actor) -> ColumnElement[bool]:
    """Condition on visible `projects`: `READ_MILESTONES` is held."""
    return or_(*(feature_readable(actor, feature, GUEST) for feature in USES))
