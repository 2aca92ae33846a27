"""Former paths of a project: kept as redirects until another project takes the path."""

from sqlalchemy import Connection, insert

from ingot.access.paths import release_path
from ingot.access.tables import redirects


def leave_redirect(tx: Connection, project_id: int, old_path: str) -> None:
    """The project's former full path keeps answering."""
    release_path(tx, old_path)
    tx.execute(insert(redirects).values(path_lower=old_path.lower(), project_id=project_id))
