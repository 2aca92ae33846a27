"""Where a search looks, as conditions on `projects`."""

from sqlalchemy import ColumnElement, select

from ingot.access.call import Call
from ingot.access.tables import namespace_ancestors, projects
from ingot.features.review.search.params import Search, SearchEverywhere, SearchProject


def in_place(call: Call[Search]) -> list[ColumnElement[bool]]:
    """The project of the call, the projects of its group and subgroups, or all; archived ones on request."""
    if call.project_or_none is not None:
        return [projects.c.id == call.project.id]
    options = call.params
    with_archived = isinstance(options, SearchEverywhere) and options.include_archived
    result: list[ColumnElement[bool]] = [] if with_archived else [~projects.c.archived]
    if call.group_or_none is not None:
        below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == call.group.id)
        result.append(projects.c.namespace_id.in_(below))
    return result


def level_of(call: Call) -> str:
    """`project`, `group` or `global`: references to issues and merge requests are written accordingly."""
    if call.project_or_none is not None:
        return "project"
    return "global" if call.group_or_none is None else "group"


def ref_of(call: Call[Search]) -> str | None:
    """The branch or tag that a search of a project names."""
    return call.params.ref if isinstance(call.params, SearchProject) else None
