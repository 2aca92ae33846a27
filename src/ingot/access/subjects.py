"""Loading a project or group for an actor, with visibility in the same statement: hidden ones are not found."""

from collections.abc import Callable, Collection
from functools import cache
from typing import Any, Generic, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, Table, and_, bindparam, case, literal, select
from typing_extensions import TypeVar

from ingot.access.kinds import ActorKind, actor_values, kind_of
from ingot.access.levels import NO_ACCESS, Feature, Visibility
from ingot.access.rows import NamespaceRow, ProjectRow
from ingot.access.tables import (
    group_authorizations,
    namespaces,
    project_authorizations,
    projects,
    redirects,
)
from ingot.access.visibility import visible_groups, visible_projects
from ingot.kit.actor import Actor
from ingot.kit.errors import ApiError, MethodNotAllowed, NotFound
from ingot.kit.statements import lasting

R = TypeVar("R", default=Any)


class Moved(ApiError):
    """The project answers at another path now."""

    status = 301

    def __init__(self, location: str) -> None:
        super().__init__(f"This resource has been moved permanently to {location}", {"Location": location})


# A look-up, because every project of a list asks for all its switches.
SWITCHES = {int(level): level for level in Feature}


class Subject(Generic[R]):
    """A loaded row with the actor's effective level; the row's columns are attributes.

    `custom` looks up what the actor's custom roles add to that level; guards set it on what a request is about.
    """

    __slots__ = ("custom", "id", "level", "row")

    # Any: every row has an id, and it is asked for too often to be looked for.
    def __init__(self, row: Any, level: int) -> None:
        self.row: R = row
        self.id: int = row.id
        self.level = level
        self.custom: Callable[[], frozenset[str]] | None = None

    def permits(self, permission: str | None) -> bool:
        """A custom role of the actor has this permission."""
        return permission is not None and self.custom is not None and permission in self.custom()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.row, name)


class Project(Subject[ProjectRow]):
    """A project as the actor sees it."""

    __slots__ = ()

    @property
    def is_private(self) -> bool:
        """Only members see it."""
        return bool(self.row.visibility == Visibility.PRIVATE)

    def feature(self, name: str) -> Feature:
        """The switch of a feature."""
        return SWITCHES[getattr(self.row, f"{name}_access_level")]


class Group(Subject[NamespaceRow]):
    """A group as the actor sees it."""

    __slots__ = ()


PROJECT_COLUMNS = (
    *projects.c,
    namespaces.c.kind.label("namespace_kind"),
    namespaces.c.full_path.label("namespace_full_path"),
)


def _number(text: str) -> int | None:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        return None
    # A number too large for an id does not exist.
    return int(text) if len(digits) < 19 else -1


# Almost every request loads a project or a group, and building such a statement costs ten times what running it does:
# there is one for each kind of actor and each way of asking, made when it is first needed.
class Kind(NamedTuple):
    """What the statement depends on."""

    actor: ActorKind
    by_id: bool

    def names(self, table: Table) -> ColumnElement[bool]:
        """The row that is asked for."""
        column: ColumnElement[Any] = table.c.id if self.by_id else table.c.full_path_lower
        return column == bindparam("id_or_path")


def _run(conn: Connection, statement: Callable[[Kind], Select[Any]], actor: Actor, id_or_path: str | int) -> Any:
    text = str(id_or_path)
    number = _number(text)
    values = actor_values(actor)
    values["id_or_path"] = text.lower().strip("/") if number is None else number
    return conn.execute(statement(Kind(kind_of(actor), number is not None)), values).one_or_none()


@cache
def _project_statement(kind: Kind) -> Select[Any]:
    return lasting(_visible_projects_statement(kind.actor).where(kind.names(projects)))


def _visible_projects_statement(kind: ActorKind) -> Select[Any]:
    rights = project_authorizations
    return (
        select(*PROJECT_COLUMNS, rights.c.access_level.label("actor_level"))
        .join_from(projects, namespaces, namespaces.c.id == projects.c.namespace_id)
        .outerjoin(rights, and_(rights.c.project_id == projects.c.id, rights.c.user_id == bindparam("actor_id")))
        .where(visible_projects(kind.anybody()))
    )


def find_project(conn: Connection, actor: Actor, id_or_path: str | int) -> Project | None:
    """The project by id or full path, or None where the actor may not see it."""
    if isinstance(id_or_path, str) and "/" not in id_or_path and _number(id_or_path) is None:
        return None
    row = _run(conn, _project_statement, actor, id_or_path)
    return None if row is None else Project(row, row.actor_level or NO_ACCESS)


def find_projects(conn: Connection, actor: Actor, ids: Collection[int]) -> dict[int, Project]:
    """By id: those that the actor may see, in one statement. What custom roles add to their levels is not looked up."""
    if not ids:
        return {}
    query = _visible_projects_statement(kind_of(actor)).where(projects.c.id.in_(ids))
    return {row.id: Project(row, row.actor_level or NO_ACCESS) for row in conn.execute(query, actor_values(actor))}


def get_project(conn: Connection, actor: Actor, id_or_path: str | int) -> Project:
    """As `find_project`, raising 404."""
    project = find_project(conn, actor, id_or_path)
    if project is None:
        raise NotFound("Project")
    return project


def find_moved_project(conn: Connection, actor: Actor, path: str) -> Project | None:
    """The project that had this full path before, if the actor may see it."""
    old = _former(conn, redirects.c.project_id, path)
    return None if old is None else find_project(conn, actor, old)


def get_project_or_moved(
    conn: Connection, actor: Actor, id_or_path: str, *, reads: bool, location: Callable[[int], str]
) -> Project:
    """The project; a former path redirects reads and refuses writes."""
    project = find_project(conn, actor, id_or_path)
    if project is not None:
        return project
    moved = find_moved_project(conn, actor, id_or_path) if "/" in id_or_path else None
    if moved is None:
        raise NotFound("Project")
    if not reads:
        raise MethodNotAllowed("Non GET methods are not allowed for moved projects")
    raise Moved(location(moved.id))


@cache
def _group_statement(kind: Kind) -> Select[Any]:
    rights = group_authorizations
    level = case((rights.c.access_level.is_(None), literal(NO_ACCESS)), else_=rights.c.access_level)
    return (
        select(*namespaces.c, level.label("actor_level"))
        .select_from(namespaces)
        .outerjoin(rights, and_(rights.c.group_id == namespaces.c.id, rights.c.user_id == bindparam("actor_id")))
        .where(visible_groups(kind.actor.anybody()), kind.names(namespaces))
    )


def find_group(conn: Connection, actor: Actor, id_or_path: str | int) -> Group | None:
    """The group by id or full path, or None where the actor may not see it."""
    row = _run(conn, _group_statement, actor, id_or_path)
    return None if row is None else Group(row, row.actor_level)


def get_group(conn: Connection, actor: Actor, id_or_path: str | int) -> Group:
    """As `find_group`, raising 404."""
    group = find_group(conn, actor, id_or_path)
    if group is None:
        raise NotFound("Group")
    return group


def get_group_or_moved(
    conn: Connection, actor: Actor, id_or_path: str, *, reads: bool, location: Callable[[int], str]
) -> Group:
    """The group; a former path redirects reads."""
    group = find_group(conn, actor, id_or_path)
    if group is not None:
        return group
    moved = find_moved_group(conn, actor, id_or_path) if reads and _number(id_or_path) is None else None
    if moved is not None:
        raise Moved(location(moved.id))
    raise NotFound("Group")


def find_moved_group(conn: Connection, actor: Actor, path: str) -> Group | None:
    """The group that had this full path before, if the actor may see it."""
    old = _former(conn, redirects.c.namespace_id, path)
    return None if old is None else find_group(conn, actor, old)


def _former(conn: Connection, owner: ColumnElement[int | None], path: str) -> int | None:
    """The id of what had this full path before; `owner` is its column in the table of former paths."""
    former = select(owner).where(redirects.c.path_lower == path.lower(), owner.is_not(None))
    return conn.execute(former).scalar_one_or_none()
