"""Where a search looks, as conditions on `projects`."""

from sqlalchemy import ColumnElement, select

from ingot.access.call import Call
from ingot.access.tables import namespace_ancestors, projects


def in_place(call: Call) -> list[ColumnElement[bool]]:
    """The project of the call, the projects of its group and subgroups, or all; archived ones on request."""
    if call.project_or_none is not None:
        return [projects.c.id == call.project.id]
    result: list[ColumnElement[bool]] = [] if call.params.include_archived else [~projects.c.archived]
    if call.group_or_none is not None:
        below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == call.group.id)
        result.append(projects.c.namespace_id.in_(below))
    return result


def level_of(call: Call) -> str:
    """`project`, `group` or `global`: references to issues and merge requests are written accordingly."""
    if call.project_or_none is not None:
        return "project"
    return "global" if call.group_or_none is None else "group"
