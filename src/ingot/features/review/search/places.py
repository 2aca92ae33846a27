"""Where a search looks: conditions on `projects`, and projects one by one."""

import time
from collections.abc import Iterator

from sqlalchemy import ColumnElement, and_, select

from ingot.access.call import Call
from ingot.access.levels import NO_ACCESS
from ingot.access.subjects import Project
from ingot.access.tables import namespace_ancestors, project_authorizations, projects
from ingot.access.visibility import feature_readable, visible_projects
from ingot.features.review.search.checks import refuse, timed_out
from ingot.features.review.search.params import Search, SearchEverywhere, SearchProject

# What no index has is looked for in one repository after another. More of them are not searched at all: whoever is
# told so asks project by project, and nobody takes a part for the whole.
MOST_REPOSITORIES = 100
SECONDS = 10.0


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


def few_projects(call: Call[Search], feature: str, level: int, *conditions: ColumnElement[bool]) -> Iterator[Project]:
    """The projects of the place whose feature the caller may read, if they are few; 408 once it takes too long."""
    rights = project_authorizations
    own = and_(rights.c.project_id == projects.c.id, rights.c.user_id == call.actor.user_id)
    readable = (visible_projects(call.actor), feature_readable(call.actor, feature, level))
    query = (
        select(*projects.c, rights.c.access_level.label("actor_level"))
        .join_from(projects, rights, own, isouter=True)
        .where(*in_place(call), *readable, *conditions)
        .order_by(projects.c.id)
        .limit(MOST_REPOSITORIES + 1)
    )
    rows = call.conn.execute(query).all()
    if len(rows) > MOST_REPOSITORIES:
        raise refuse("Scope supported only with advanced search")
    end = time.monotonic() + SECONDS
    for row in rows:
        if time.monotonic() > end:
            raise timed_out()
        yield Project(row, row.actor_level or NO_ACCESS)


def ref_of(call: Call[Search]) -> str | None:
    """The branch or tag that a search of a project names."""
    return call.params.ref if isinstance(call.params, SearchProject) else None
