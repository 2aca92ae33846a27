"""Who is who: members of the archive and people of this instance."""

from typing import Any

from sqlalchemy import Connection, insert, select

from ingot.access.authorizations import refresh_projects
from ingot.access.levels import GUEST, MAINTAINER, MEMBER_LEVELS
from ingot.access.tables import members, namespaces, projects
from ingot.features.project_imports.context import People
from ingot.features.project_imports.tree import Tree
from ingot.features.project_imports.values import BadRecord, day, number, one
from ingot.identity.tables import users
from ingot.kit.clock import now


def map_people(conn: Connection, tree: Tree, importer: Any, *, own: bool) -> People:
    """Own archives by id, administrators' imports by e-mail, all others to nobody but the importer."""
    people = People(importer.id)
    if own:
        found = conn.execute(select(users.c.id))
        people.known = {row.id: row.id for row in found}
        return people
    if not importer.is_admin:
        return people
    mails = {}
    for _, record in tree.lines("project_members"):
        user = one(record, "user") or {}
        mail = user.get("public_email") or user.get("email")
        if isinstance(user.get("id"), int) and isinstance(mail, str):
            mails[user["id"]] = mail.lower()
    found = conn.execute(select(users.c.id, users.c.email_lower).where(users.c.email_lower.in_(set(mails.values()))))
    by_mail = {row.email_lower: row.id for row in found}
    people.known = {source: by_mail[mail] for source, mail in mails.items() if mail in by_mail}
    return people


def add_members(tx: Connection, tree: Tree, project: Any, people: People) -> int:
    """Members whom we know, at most as Maintainers; nobody is invited and nobody's role is changed."""
    taken = set(tx.execute(select(members.c.user_id).where(members.c.project_id == project.id)).scalars())
    moment, count = now(), 0
    for _, record in tree.lines("project_members"):
        source = (one(record, "user") or {}).get("id")
        user_id = people.known.get(source) if isinstance(source, int) else None
        if user_id is None or user_id in taken:
            continue
        try:
            level, expires = number(record, "access_level") or GUEST, day(record, "expires_at")
        except BadRecord:
            continue
        taken.add(user_id)
        count += 1
        tx.execute(
            insert(members).values(
                user_id=user_id,
                project_id=project.id,
                access_level=min(level, MAINTAINER) if level in MEMBER_LEVELS else GUEST,
                notification_level=number(record, "notification_level") or 3,
                expires_at=expires,
                created_by_id=people.importer_id,
                created_at=moment,
                updated_at=moment,
            )
        )
    refresh_projects(tx, [project.id])
    return count


def ensure_importer(tx: Connection, project: Any, importer_id: int) -> None:
    """In a group the importer becomes a member of the new project; in a personal namespace they own it already."""
    kind = tx.execute(
        select(namespaces.c.kind)
        .join_from(projects, namespaces, namespaces.c.id == projects.c.namespace_id)
        .where(projects.c.id == project.id)
    ).scalar_one()
    known = select(members.c.id).where(members.c.project_id == project.id, members.c.user_id == importer_id)
    if kind != "group" or tx.execute(known).first() is not None:
        return
    moment = now()
    tx.execute(
        insert(members).values(
            user_id=importer_id,
            project_id=project.id,
            access_level=MAINTAINER,
            created_by_id=importer_id,
            created_at=moment,
            updated_at=moment,
        )
    )
    refresh_projects(tx, [project.id])


def named_people(tree: Tree, people: People) -> dict[str, int]:
    """Members of the archive by user name, with who they are here."""
    found = {}
    for _, record in tree.lines("project_members"):
        user = one(record, "user") or {}
        if isinstance(user.get("id"), int):
            found[str(user.get("username") or user["id"])] = people.known.get(user["id"], people.importer_id)
    return found
