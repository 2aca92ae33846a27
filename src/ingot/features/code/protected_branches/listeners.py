"""Protected branches as rooms below ask for them."""

from sqlalchemy import Connection, select

from ingot.features.code.protected_branches.inherited import all_protected_branches
from ingot.features.spaces.projects import finds_protected_branches


@finds_protected_branches
def protected_names(conn: Connection, project_id: int) -> list[str]:
    """Names and patterns of the project's own rules and of those above it."""
    table = all_protected_branches
    return list(conn.execute(select(table.c.name).where(table.c.project_id == project_id)).scalars())
