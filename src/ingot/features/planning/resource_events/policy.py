"""Who reads events: everyone signed in who reads the issuable, as far as they can see what was added or removed."""

from sqlalchemy import ColumnElement, Table, exists, or_

from ingot.access.abilities import ProjectAbility
from ingot.access.call import Call
from ingot.access.tables import namespaces
from ingot.access.visibility import visible_groups
from ingot.features.planning import labels as project_labels
from ingot.features.planning import milestones as project_milestones
from ingot.features.planning.labels import labels
from ingot.features.planning.milestones import milestones

# The project is visible; rights on the issuable itself are part of finding it.
FIND_EVENTS = ProjectAbility(ability="read_resource_events", outsiders=True, needs_user=True)


def visible_label(call: Call) -> ColumnElement[bool]:
    """Condition on events joined with `labels`: usable here, of a group that the caller sees, or deleted."""
    return or_(labels.c.id.is_(None), project_labels.usable_in_project(call.project), _in_visible_group(call, labels))


def visible_milestone(call: Call) -> ColumnElement[bool]:
    """Condition on events joined with `milestones`: usable here, or of a group that the caller sees."""
    return or_(project_milestones.usable_in_project(call.project), _in_visible_group(call, milestones))


def _in_visible_group(call: Call, table: Table) -> ColumnElement[bool]:
    """A moved project may still have labels and milestones of its former group."""
    return exists().where(namespaces.c.id == table.c.group_id, visible_groups(call.actor))
