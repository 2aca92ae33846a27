"""Compares the materialised rights with the memberships."""

from collections.abc import Iterator

from sqlalchemy import select

from ingot.access.authorizations import differences, refresh_groups, refresh_projects
from ingot.access.tables import namespaces, projects
from ingot.doctor.finding import Finding
from ingot.kit.services import Services


def examine(services: Services, repair: bool) -> Iterator[Finding]:
    """Compare, and compute anew where they differ."""
    with services.db.read() as conn:
        result = differences(conn)
    if result and repair:
        with services.db.write() as tx:
            refresh_groups(tx, tx.execute(select(namespaces.c.id).where(namespaces.c.kind == "group")).scalars().all())
            refresh_projects(tx, tx.execute(select(projects.c.id)).scalars().all())
    yield from (Finding(f"rights: {sentence}", repaired=repair) for sentence in result)
