"""Full paths of projects and namespaces: one space of names for all, and former paths that keep answering."""

from sqlalchemy import Connection, delete, literal, select, union_all

from ingot.access.tables import namespaces, projects, redirects
from ingot.access.turns import take_turn


def lock_namespace(tx: Connection, namespace_id: int | None) -> None:
    """Let nobody else create or move something into the namespace until this transaction ends.

    Read the namespace after this: its path may have changed while we waited.
    """
    take_turn(tx, exclusive=False)
    if namespace_id is not None:
        tx.execute(select(namespaces.c.id).where(namespaces.c.id == namespace_id).with_for_update(key_share=True))


def is_path_taken(
    conn: Connection, full_path: str, *, except_namespace: int | None = None, except_project: int | None = None
) -> bool:
    """A project, group or user has this full path, in whatever case."""
    path_lower = full_path.lower()
    query = union_all(
        select(literal(1)).where(
            namespaces.c.full_path_lower == path_lower, namespaces.c.id != (except_namespace or 0)
        ),
        select(literal(1)).where(projects.c.full_path_lower == path_lower, projects.c.id != (except_project or 0)),
    )
    return conn.execute(query.limit(1)).first() is not None


def release_path(tx: Connection, full_path: str) -> None:
    """Something new takes the path: whatever moved away from it is no longer found there."""
    tx.execute(delete(redirects).where(redirects.c.path_lower == full_path.lower()))
