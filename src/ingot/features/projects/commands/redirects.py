"""Former paths: kept when a project moves, given up when somebody new takes the path."""

from sqlalchemy import Connection, delete, insert

from ingot.access.tables import redirects


def leave_redirect(tx: Connection, project_id: int, old_path: str) -> None:
    """The project's former full path keeps answering."""
    free_path(tx, old_path.lower())
    tx.execute(insert(redirects).values(path_lower=old_path.lower(), project_id=project_id))


def free_path(tx: Connection, path_lower: str) -> None:
    """A new project or a return to an old path ends the redirect."""
    tx.execute(delete(redirects).where(redirects.c.path_lower == path_lower))
