"""Mapping members of the archive to users of this instance."""

from collections.abc import Mapping
from datetime import date
from typing import TypedDict

from sqlalchemy import Connection, insert, select

from ingot.access.authorizations import refresh_projects
from ingot.access.levels import GUEST, MAINTAINER, MEMBER_LEVELS
from ingot.access.rows import ProjectRow
from ingot.access.tables import members, namespaces, projects
from ingot.features.people.invitations import account_of, invite, is_address
from ingot.features.people.members import is_membership_locked, lacks_saml_identity, project_source
from ingot.features.transfer.project_imports.context import ImportContext, People
from ingot.features.transfer.project_imports.tree import Tree
from ingot.features.transfer.project_imports.values import day, moment_or, number, one
from ingot.identity.rows import UserRow
from ingot.identity.tables import users
from ingot.kit.clock import now, today

USUAL_NOTIFICATIONS = 3


def map_people(conn: Connection, tree: Tree, importer: UserRow, *, own: bool) -> People:
    """Archives of this instance by id, administrators' imports by e-mail, all others to the importer only."""
    people = People(
        importer.id, own=own, takes_members=own or bool(importer.is_admin), overrules=bool(importer.is_admin)
    )
    if own:
        rows = conn.execute(select(users.c.id))
        people.known = {row.id: row.id for row in rows}
        return people
    if not importer.is_admin:
        return people
    mails = {}
    for _, record in tree.lines("project_members"):
        user = one(record, "user") or {}
        mail = user.get("public_email") or user.get("email")
        if isinstance(user.get("id"), int) and isinstance(mail, str):
            mails[user["id"]] = mail.lower()
    # Identity providers of groups create accounts with any address: only confirmed ones identify a user.
    confirmed = users.c.confirmed_at.is_not(None)
    named = select(users.c.id, users.c.email_lower).where(users.c.email_lower.in_(set(mails.values())), confirmed)
    rows = conn.execute(named)
    by_mail = {row.email_lower: row.id for row in rows}
    people.known = {source: by_mail[mail] for source, mail in mails.items() if mail in by_mail}
    return people


def add_members(context: ImportContext, tx: Connection, tree: Tree) -> int:
    """Members whom we know, at most as Maintainers; those without an account at the source are invited again.

    Nobody's role is changed. A member that cannot be read ends the import. Where a group above lets nobody be added to
    its projects, only administrators bring people along; whom a group's identity provider must know first, nobody does.
    """
    project, people = context.project, context.people
    source = project_source(project)
    if not people.overrules and is_membership_locked(tx, source):
        return 0
    taken = set(tx.execute(select(members.c.user_id).where(members.c.project_id == project.id)).scalars())
    moment, count = now(), 0
    for _, record in tree.lines("project_members"):
        values: _Membership = {
            "access_level": _level(record),
            "notification_level": number(record, "notification_level") or USUAL_NOTIFICATIONS,
            "expires_at": day(record, "expires_at"),
            "created_by_id": people.known_or_none(record.get("created_by_id")),
        }
        user = one(record, "user")
        user_id = people.known_or_none(user.get("id")) if user is not None else None
        if user is None and people.takes_members and (email := _invited(record, values)):
            user_id = account_of(tx, email)
            count += user_id is None and _invite(tx, project, email, record, values)
        if user_id is None or user_id in taken:
            continue
        taken.add(user_id)
        if lacks_saml_identity(tx, context.services, source, user_id):
            continue
        count += 1
        row = {"user_id": user_id, "project_id": project.id, "created_at": moment, "updated_at": moment}
        tx.execute(insert(members).values(**row, **values))
    refresh_projects(tx, [project.id])
    return count


class _Membership(TypedDict):
    """What a member and somebody invited have."""

    access_level: int
    notification_level: int
    expires_at: date | None
    created_by_id: int | None


def _level(record: Mapping[str, object]) -> int:
    level = number(record, "access_level") or GUEST
    return min(level, MAINTAINER) if level in MEMBER_LEVELS else GUEST


def _invited(record: Mapping[str, object], values: _Membership) -> str | None:
    """The address of an open invitation; what has run out, or was a request for access, is none."""
    email = record.get("invite_email")
    expired = values["expires_at"] is not None and values["expires_at"] <= today()
    if not isinstance(email, str) or not is_address(email) or expired or record.get("requested_at"):
        return None
    return email


def _invite(tx: Connection, project: ProjectRow, email: str, record: Mapping[str, object], values: _Membership) -> bool:
    created = moment_or(record, "created_at", now())
    return invite(
        tx,
        project_source(project),
        email,
        values["access_level"],
        expires_at=values["expires_at"],
        notification_level=values["notification_level"],
        created_by_id=values["created_by_id"],
        created_at=created,
        updated_at=moment_or(record, "updated_at", created),
    )


def ensure_importer(tx: Connection, project: ProjectRow, importer_id: int) -> None:
    """The importer becomes a member of the new project; in their own namespace they own it already."""
    space = tx.execute(
        select(namespaces.c.kind, namespaces.c.owner_id)
        .join_from(projects, namespaces, namespaces.c.id == projects.c.namespace_id)
        .where(projects.c.id == project.id)
    ).one()
    known = select(members.c.id).where(members.c.project_id == project.id, members.c.user_id == importer_id)
    if space.owner_id == importer_id or tx.execute(known).first() is not None:
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
    result = {}
    for _, record in tree.lines("project_members"):
        user = one(record, "user") or {}
        if isinstance(user.get("id"), int):
            result[str(user.get("username") or user["id"])] = people.known.get(user["id"], people.importer_id)
    return result
