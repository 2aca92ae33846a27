"""Names and paths of projects that other records name by number."""

from collections.abc import Collection

from sqlalchemy import Connection, select

from ingot.access.tables import projects
from ingot.access.visibility import visible_projects
from ingot.kit.actor import Actor


def visible_paths(conn: Connection, actor: Actor, numbers: Collection[int]) -> dict[int, dict[str, str]]:
    """By number, of those that the actor may see: `name` and `path_with_namespace`."""
    if not numbers:
        return {}
    query = select(projects.c.id, projects.c.name, projects.c.full_path).where(
        projects.c.id.in_(numbers), visible_projects(actor)
    )
    return {row.id: {"name": row.name, "path_with_namespace": row.full_path} for row in conn.execute(query)}
