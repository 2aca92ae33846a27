"""Who may read, open, change, merge and delete merge requests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, or_, select

from ingot.access.abilities import ProjectAbility, is_open_to
from ingot.access.call import Call
from ingot.access.caller_words import describe_callers
from ingot.access.levels import DEVELOPER, OWNER, PLANNER, REPORTER, Feature
from ingot.access.subjects import Project
from ingot.access.tables import projects
from ingot.access.visibility import is_member, open_levels, visible_projects
from ingot.features.review.merge_requests.rows import MergeRequestRow
from ingot.features.review.merge_requests.tables import merge_request_assignees
from ingot.kit.actor import Actor


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadMergeRequests(ProjectAbility):
    """Open projects: everyone; private ones: Planner and above, Reporter and above where the feature is `private`."""

    @property
    def callers(self) -> str:
        """Who has the right, for the documentation."""
        return describe_callers("project", PLANNER, outsiders=True)

    def allows(self, actor: Actor, project: Project) -> bool:
        """The actor may read merge requests of the project."""
        switches = _switches(project)
        if Feature.DISABLED in switches:
            return False
        if actor.is_admin or project.level >= REPORTER:
            return True
        if Feature.PRIVATE in switches:
            return False
        return bool(project.level >= PLANNER) or is_open_to(actor, project)


def is_switched_off(project: Project) -> bool:
    """Merge requests are disabled; existing ones are kept, but hidden."""
    return Feature.DISABLED in _switches(project)


def _switches(project: Project) -> tuple[Feature, Feature]:
    return project.feature("repository"), project.feature("merge_requests")


READ_MERGE_REQUESTS = ReadMergeRequests(ability="read_merge_request")
# The project is visible; rights on the request itself are checked after it was found.
FIND_MERGE_REQUEST = ProjectAbility(ability="find_merge_request", outsiders=True)
FIND_MERGE_REQUEST_SIGNED_IN = ProjectAbility(ability="find_merge_request", outsiders=True, needs_user=True)
READ_MERGE_REQUESTS_SIGNED_IN = ReadMergeRequests(ability="read_merge_request", needs_user=True)


def readable_merge_requests(actor: Actor) -> ColumnElement[bool]:
    """Condition on `projects`: `READ_MERGE_REQUESTS` as SQL, visibility included."""
    both = (projects.c.repository_access_level, projects.c.merge_requests_access_level)
    on = and_(*(column > int(Feature.DISABLED) for column in both))
    if actor.is_admin:
        return and_(visible_projects(actor), on)
    open_to_all = and_(*(column >= int(Feature.ENABLED) for column in both))
    return and_(
        visible_projects(actor),
        on,
        or_(
            is_member(actor, REPORTER),
            and_(open_to_all, or_(projects.c.visibility.in_(open_levels(actor)), is_member(actor, PLANNER))),
        ),
    )


def is_developer(actor: Actor, project: Project) -> bool:
    """Whether the caller may change everything about merge requests of the project."""
    return not project.archived and not actor.is_anonymous and (actor.is_admin or project.level >= DEVELOPER)


def is_assignee(call: Call, row: MergeRequestRow) -> bool:
    """The caller is assigned to the request."""
    return _is_assigned(call.conn, call.actor, row)


def _is_assigned(conn: Connection, actor: Actor, row: MergeRequestRow) -> bool:
    if actor.user_id is None:
        return False
    table = merge_request_assignees
    query = select(table.c.user_id).where(table.c.merge_request_id == row.id, table.c.user_id == actor.user_id)
    return conn.execute(query).first() is not None


def may_update(call: Call, row: MergeRequestRow) -> bool:
    """The caller may change the request."""
    return can_update(call.conn, call.actor, call.project, row)


def can_update(conn: Connection, actor: Actor, project: Project, row: MergeRequestRow) -> bool:
    """Developers; the author and assignees, as long as they can read it."""
    if not _can_update_some(actor, project):
        return False
    return is_developer(actor, project) or row.author_id == actor.user_id or _is_assigned(conn, actor, row)


def may_update_among(call: Call, rows: Sequence[MergeRequestRow], places: Mapping[int, Project]) -> set[int]:
    """The ids of those requests that the caller may change, in one statement at most; `places` are their projects."""
    actor = call.actor
    able = {number for number, place in places.items() if _can_update_some(actor, place)}
    rows = [row for row in rows if row.project_id in able]
    whole = {row.id for row in rows if is_developer(actor, places[row.project_id])}
    others = [row for row in rows if row.id not in whole]
    if not others:
        return whole
    table = merge_request_assignees
    query = select(table.c.merge_request_id).where(
        table.c.merge_request_id.in_([row.id for row in others]), table.c.user_id == actor.user_id
    )
    own = {row.id for row in others if row.author_id == actor.user_id}
    return whole | own | set(call.conn.execute(query).scalars())


def _can_update_some(actor: Actor, project: Project) -> bool:
    return not project.archived and not actor.is_anonymous and READ_MERGE_REQUESTS.allows(actor, project)


def may_delete(actor: Actor, project: Project) -> bool:
    """Owners and administrators."""
    return not project.archived and (actor.is_admin or project.level >= OWNER)


def may_push_to_source(actor: Actor, source: Project | None) -> bool:
    """Developers of the source project, if it exists."""
    return source is not None and is_developer(actor, source)
