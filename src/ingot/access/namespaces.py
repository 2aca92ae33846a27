"""Namespaces as targets: by id or path, and whether projects may be created in them."""

from collections.abc import Callable

from sqlalchemy import ColumnElement, Connection, FromClause, Join, Label, ScalarSelect, and_, case, literal, select

from ingot.access.levels import DEVELOPER, MAINTAINER, NO_ACCESS, OWNER
from ingot.access.rows import ListedNamespaceRow, NamespaceRow
from ingot.access.subjects import Group, Subject
from ingot.access.tables import group_authorizations, namespace_ancestors, namespaces
from ingot.access.visibility import is_let_in
from ingot.instance import application_setting
from ingot.kit.actor import Actor

# The instance's default is stored as a number, a group's own choice as a word.
CREATION_LEVELS = {0: "noone", 1: "maintainer", 2: "developer", 3: "owner", 4: "administrator"}
CREATION_RANKS = {"developer": DEVELOPER, "maintainer": MAINTAINER, "owner": OWNER}


class Namespace(Subject[ListedNamespaceRow]):
    """A personal namespace or group with the actor's effective level in it."""

    __slots__ = ()

    @property
    def is_group(self) -> bool:
        """It is a group, not somebody's own."""
        return bool(self.row.kind == "group")


def namespace_level(actor: Actor) -> Label[int]:
    """Column: the actor's effective level in `namespaces`, which must be joined with `namespace_rights`."""
    rights = group_authorizations
    return case(
        (and_(namespaces.c.kind == "user", namespaces.c.owner_id == (actor.user_id or 0)), literal(OWNER)),
        (rights.c.access_level.is_not(None), rights.c.access_level),
        else_=literal(NO_ACCESS),
    ).label("actor_level")


def namespace_rights(actor: Actor) -> Join:
    """`namespaces` joined with the actor's rights."""
    rights = group_authorizations
    return namespaces.outerjoin(
        rights, and_(rights.c.group_id == namespaces.c.id, rights.c.user_id == (actor.user_id or 0))
    )


def find_namespace(conn: Connection, actor: Actor, id_or_path: str | int) -> Namespace | None:
    """The namespace by id or full path; None unless the actor belongs to it (administrators: any)."""
    text = str(id_or_path)
    statement = (
        select(*namespaces.c, namespace_level(actor))
        .select_from(namespace_rights(actor))
        .where(namespaces.c.pending_delete.is_(False), *is_let_in(actor, namespaces.c.id))
    )
    if text.isascii() and text.isdigit():
        statement = statement.where(namespaces.c.id == (int(text) if len(text) < 19 else -1))
    else:
        statement = statement.where(namespaces.c.full_path_lower == text.lower().strip("/"))
    row = conn.execute(statement).one_or_none()
    if row is None or not (actor.is_admin or row.actor_level > NO_ACCESS):
        return None
    return Namespace(row, row.actor_level)


def project_creation_level(conn: Connection, namespace: NamespaceRow) -> str:
    """Who may create projects in the group: its own choice, or the instance's."""
    own = namespace.settings.get("project_creation_level")
    return str(own or CREATION_LEVELS[application_setting(conn, "default_project_creation")])


def may_create_project_in(conn: Connection, actor: Actor, namespace: Namespace | Group) -> bool:
    """The actor may create a project there. `namespace`: a `Namespace` or `Group` with the actor's level."""
    if namespace.kind == "user":
        return actor.is_admin or namespace.owner_id == actor.user_id
    # Nothing may be created in a group that is about to be deleted.
    if namespace.marked_for_deletion_on is not None:
        return False
    level = project_creation_level(conn, namespace)
    if level == "noone":
        return False
    return actor.is_admin or namespace.level >= CREATION_RANKS.get(level, OWNER + 1)


def instance_runners(namespace: NamespaceRow) -> str:
    """Whether projects here use the instance's runners: `enabled`, or disabled with or without an override."""
    return str((namespace.settings or {}).get("shared_runners_setting", "enabled"))


def may_import_into(conn: Connection, actor: Actor, namespace: Namespace | Group) -> bool:
    """The actor may import projects there: the right to create, and at least Maintainer."""
    return may_create_project_in(conn, actor, namespace) and (actor.is_admin or namespace.level >= MAINTAINER)


def top_of(conn: Connection, namespace_id: int) -> NamespaceRow:
    """The row of the namespace at the top: the root group, or the personal namespace itself."""
    tree = namespace_ancestors
    return conn.execute(
        select(namespaces)
        .join(tree, tree.c.ancestor_id == namespaces.c.id)
        .where(tree.c.namespace_id == namespace_id, namespaces.c.parent_id.is_(None))
    ).one()


def may_be_forked_into(conn: Connection, namespace_id: int, target_id: int) -> bool:
    """Projects of the first namespace may be forked into the second: a top-level group can prevent outside forks."""
    top = top_of(conn, namespace_id)
    return not top.settings.get("prevent_forking_outside_group") or bool(top_of(conn, target_id).id == top.id)


def closest_group_setting(
    namespace_id: ColumnElement[int], setting: Callable[[FromClause], ColumnElement[object]]
) -> ScalarSelect[object]:
    """Column: a setting of the closest group from this namespace upwards that has it; null where none has."""
    tree, group = namespace_ancestors.alias(), namespaces.alias()
    value = setting(group)
    return (
        select(value)
        .join_from(tree, group, group.c.id == tree.c.ancestor_id)
        .where(tree.c.namespace_id == namespace_id, group.c.kind == "group", value.is_not(None))
        .order_by(tree.c.depth)
        .limit(1)
        .scalar_subquery()
    )
