"""Compares the materialised rights with the memberships."""

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, select

from ingot.access.authorizations import Difference, differences, refresh_groups, refresh_projects
from ingot.access.levels import ROLE_NAMES
from ingot.access.tables import namespaces, projects
from ingot.doctor.finding import REPAIR, Finding
from ingot.identity.tables import users
from ingot.kit.services import Services


def examine(services: Services, repair: bool) -> Iterator[Finding]:
    """Compare, and compute anew where they differ."""
    with services.db.read() as conn:
        result = differences(conn)
        sentences = _sentences(conn, result)
    if result and repair:
        with services.db.write() as tx:
            refresh_groups(tx, tx.execute(select(namespaces.c.id).where(namespaces.c.kind == "group")).scalars().all())
            refresh_projects(tx, tx.execute(select(projects.c.id)).scalars().all())
    yield from (Finding(sentence, repaired=repair, command=REPAIR) for sentence in sentences)


def _sentences(conn: Connection, result: Sequence[Difference]) -> list[str]:
    who = dict(conn.execute(select(users.c.id, users.c.username)).tuples().all()) if result else {}
    groups = dict(conn.execute(select(namespaces.c.id, namespaces.c.full_path)).tuples().all()) if result else {}
    paths = dict(conn.execute(select(projects.c.id, projects.c.full_path)).tuples().all()) if result else {}
    sentences = []
    for one in result:
        place = (groups if one.column == "group_id" else paths).get(one.place_id, f"{one.column} {one.place_id}")
        role, name = ROLE_NAMES.get(one.level, str(one.level)), f"@{who.get(one.user_id, one.user_id)}"
        if one.is_stored:
            sentences.append(f"The stored permissions give {name} the role {role} in {place}, but no membership does.")
        else:
            sentences.append(
                f"A membership gives {name} the role {role} in {place}, but the stored permissions do not."
            )
    return sentences
