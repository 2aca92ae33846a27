"""Changing full paths and names of everything below a renamed or moved group, with redirects."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Table, delete, func, insert, literal, select, update

from ingot.access import names
from ingot.access.rows import NamespaceRow
from ingot.access.tables import namespace_ancestors, namespaces, projects, redirects
from ingot.kit.errors import Invalid


def move_paths(tx: Connection, group: NamespaceRow, *, full_path: str, full_name: str) -> None:
    """Give the group and all below it their new full paths and names. `group` is the row before the change."""
    below = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == group.id)
    if full_path != group.full_path:
        _require_room(tx, below, len(full_path) - len(group.full_path))
        if full_path.lower() != group.full_path.lower():
            _leave_redirects(tx, below)
    for table, inside in ((namespaces, namespaces.c.id.in_(below)), (projects, projects.c.namespace_id.in_(below))):
        tx.execute(
            update(table)
            .where(inside)
            .values(
                full_path=_with_prefix(table.c.full_path, group.full_path, full_path),
                full_path_lower=_with_prefix(table.c.full_path_lower, group.full_path, full_path.lower()),
                full_name=_with_prefix(table.c.full_name, group.full_name, full_name),
            )
        )
    _release(tx, below)


def _with_prefix(column: ColumnElement[str], old: str, new: str) -> ColumnElement[str]:
    return literal(new) + func.substr(column, len(old) + 1)


def _require_room(tx: Connection, below: Select[Any], growth: int) -> None:
    for table, inside in ((namespaces, namespaces.c.id.in_(below)), (projects, projects.c.namespace_id.in_(below))):
        longest = tx.execute(select(func.max(func.length(table.c.full_path))).where(inside)).scalar_one()
        if longest is not None and longest + growth > names.MAX_LENGTH:
            raise Invalid({"path": [names.too_long(names.MAX_LENGTH)]})


def _leave_redirects(tx: Connection, below: Select[Any]) -> None:
    for table, inside, key in (
        (namespaces, namespaces.c.id.in_(below), "namespace_id"),
        (projects, projects.c.namespace_id.in_(below), "project_id"),
    ):
        old = select(table.c.full_path_lower).where(inside)
        tx.execute(delete(redirects).where(redirects.c.path_lower.in_(old)))
        leaving = select(table.c.full_path_lower, table.c.id).where(inside)
        tx.execute(insert(redirects).from_select(["path_lower", key], leaving))


def _release(tx: Connection, below: Select[Any]) -> None:
    """A new owner of a path ends its redirect."""
    for table, inside in ((namespaces, namespaces.c.id.in_(below)), (projects, projects.c.namespace_id.in_(below))):
        _delete_redirects(tx, table, inside)


def _delete_redirects(tx: Connection, table: Table, inside: ColumnElement[bool]) -> None:
    tx.execute(delete(redirects).where(redirects.c.path_lower.in_(select(table.c.full_path_lower).where(inside))))


def reparent(tx: Connection, group_id: int, parent_id: int | None) -> None:
    """Change the ancestors of the group and of everything below it."""
    tree = namespace_ancestors
    inside = select(tree.c.namespace_id).where(tree.c.ancestor_id == group_id)
    subtree = tx.execute(select(tree.c.namespace_id, tree.c.depth).where(tree.c.ancestor_id == group_id)).all()
    tx.execute(delete(tree).where(tree.c.namespace_id.in_(inside), tree.c.ancestor_id.not_in(inside)))
    if parent_id is None:
        return
    above = tx.execute(select(tree.c.ancestor_id, tree.c.depth).where(tree.c.namespace_id == parent_id)).all()
    tx.execute(
        insert(tree),
        [
            {"namespace_id": low.namespace_id, "ancestor_id": high.ancestor_id, "depth": low.depth + high.depth + 1}
            for low in subtree
            for high in above
        ],
    )
