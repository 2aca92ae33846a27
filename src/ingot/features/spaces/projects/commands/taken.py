"""Names and paths that are taken already."""

from sqlalchemy import Connection, or_, select

from ingot.access.rows import NamespaceRow
from ingot.access.tables import namespaces, projects

TEXT = "has already been taken"


def taken_problems(
    tx: Connection, space: NamespaceRow, name: str, path: str, *, except_id: int = 0
) -> dict[str, list[str]]:
    """Collisions of a new name and path, in the documented order of keys."""
    full_path = f"{space.full_path}/{path}".lower()
    rows = tx.execute(
        select(projects.c.name, projects.c.namespace_id, projects.c.full_path_lower, projects.c.pending_delete).where(
            projects.c.id != except_id,
            or_(
                projects.c.full_path_lower == full_path,
                (projects.c.namespace_id == space.id) & (projects.c.name == name),
            ),
        )
    ).all()
    if any(row.pending_delete for row in rows):
        return {"base": ["The project is still being deleted. Please try again later."]}
    result: dict[str, list[str]] = {}
    if any(row.name == name and row.namespace_id == space.id for row in rows):
        result["project_namespace.name"] = [TEXT]
        result["name"] = [TEXT]
    is_group = tx.execute(select(namespaces.c.id).where(namespaces.c.full_path_lower == full_path)).first() is not None
    if is_group or any(row.full_path_lower == full_path for row in rows):
        result["path"] = [TEXT]
    return result
