"""Background work of users: removes abandoned namespaces."""

from sqlalchemy import delete, literal, select

from ingot.access.tables import namespaces, projects
from ingot.kit.jobs import Run, periodic


@periodic("delete_abandoned_namespaces", every=3600)
def delete_abandoned_namespaces(run: Run) -> None:
    """Remove personal namespaces without an owner once their projects are gone."""
    inside = select(literal(1)).where(projects.c.namespace_id == namespaces.c.id).exists()
    with run.db.write() as tx:
        tx.execute(delete(namespaces).where(namespaces.c.kind == "user", namespaces.c.owner_id.is_(None), ~inside))
