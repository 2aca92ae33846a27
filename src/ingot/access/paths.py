"""Full paths of projects and namespaces: unique across both, with redirects from former paths."""

from sqlalchemy import Connection, delete, literal, select, union_all

from ingot.access.tables import namespaces, projects, redirects
from ingot.access.turns import take_turn


def lock_namespace(tx: Connection, namespace_id: int | None) -> None:
    """Lock the namespace against concurrent creations and moves until this transaction ends.

    Read it after this: its path may have changed while waiting.
    """
    take_turn(tx, exclusive=False)
    if namespace_id is not None:
        tx.execute(select(namespaces.c.id).where(namespaces.c.id == namespace_id).with_for_update(key_share=True))


def is_path_taken(
    conn: Connection, full_path: str, *, except_namespace: int | None = None, except_project: int | None = None
) -> bool:
    """A project, group or user has this full path, ignoring case."""
    path_lower = full_path.lower()
    query = union_all(
        select(literal(1)).where(
            namespaces.c.full_path_lower == path_lower, namespaces.c.id != (except_namespace or 0)
        ),
        select(literal(1)).where(projects.c.full_path_lower == path_lower, projects.c.id != (except_project or 0)),
    )
    return conn.execute(query.limit(1)).first() is not None


def release_path(tx: Connection, full_path: str) -> None:
    """Remove the redirect from a path that is used again."""
    tx.execute(delete(redirects).where(redirects.c.path_lower == full_path.lower()))
