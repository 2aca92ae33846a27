"""Changing users: one function per verb, in the caller's transaction."""

from collections.abc import Mapping
from datetime import timedelta

from sqlalchemy import Connection, delete, insert, or_, select, update

from ingot.access.tables import namespace_ancestors, namespaces, projects, redirects
from ingot.features.people.users import states
from ingot.features.people.users.arrivals import address_confirmed
from ingot.features.people.users.queries import get_user
from ingot.features.people.users.tables import emails
from ingot.identity.oauth_tokens import revoke_of_user
from ingot.identity.rows import UserRow
from ingot.identity.sessions import close_sessions, end_impersonations
from ingot.identity.tables import users
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.errors import Conflict, Failure, Forbidden


def create_user(
    tx: Connection, *, username: str, name: str, email: str, is_admin: bool = False, **columns: object
) -> int:
    """Store a user and the personal namespace of the same name; returns the user's id."""
    refuse_taken(tx, username=username, email=email)
    moment = now()
    values = {"profile": {}, "confirmed_at": moment, **columns}
    user_id = tx.execute(
        insert(users)
        .values(
            username=username,
            username_lower=username.lower(),
            name=name,
            name_lower=name.lower(),
            email=email,
            email_lower=email.lower(),
            is_admin=is_admin,
            created_at=moment,
            updated_at=moment,
            **values,
        )
        .returning(users.c.id)
    ).scalar_one()
    namespace_id = tx.execute(
        insert(namespaces)
        .values(
            kind="user",
            owner_id=user_id,
            name=name,
            path=username,
            full_path=username,
            full_path_lower=username.lower(),
            full_name=name,
            visibility=20,
            settings={},
            created_at=moment,
            updated_at=moment,
        )
        .returning(namespaces.c.id)
    ).scalar_one()
    tx.execute(insert(namespace_ancestors).values(namespace_id=namespace_id, ancestor_id=namespace_id, depth=0))
    if values["confirmed_at"] is not None:
        address_confirmed(tx, int(user_id), email)
    if values.get("kind") != "ghost":
        report_change(tx, Change("user", "create", int(user_id)))
    return int(user_id)


def refuse_taken(
    tx: Connection, *, username: str | None = None, email: str | None = None, except_id: int | None = None
) -> None:
    """Raise 409 when somebody else has the address or the name."""
    if email is not None:
        value = tx.execute(select(users.c.id).where(users.c.email_lower == email.lower())).scalar_one_or_none()
        second = tx.execute(select(emails.c.user_id).where(emails.c.email_lower == email.lower())).scalar_one_or_none()
        if any(owner not in (None, except_id) for owner in (value, second)):
            raise Conflict("Email has already been taken")
    if username is not None:
        value = tx.execute(select(users.c.id).where(users.c.username_lower == username.lower())).scalar_one_or_none()
        space = tx.execute(
            select(namespaces.c.id, namespaces.c.owner_id).where(namespaces.c.full_path_lower == username.lower())
        ).one_or_none()
        if value not in (None, except_id) or (space is not None and (except_id is None or space.owner_id != except_id)):
            raise Conflict("Username has already been taken")


def edit_user(tx: Connection, row: UserRow, changes: Mapping[str, object]) -> None:
    """Write changed columns; a new name or user name renames the personal namespace too."""
    names = {name: str(changes[name]) for name in ("username", "name", "email") if name in changes}
    refuse_taken(tx, username=names.get("username"), email=names.get("email"), except_id=row.id)
    values = {**changes, **{f"{name}_lower": text.lower() for name, text in names.items()}}
    tx.execute(update(users).where(users.c.id == row.id).values(**values, updated_at=now()))
    if "password_hash" in changes:
        close_sessions(tx, row.id)  # also those of whoever knew the old one
    if row.is_admin and not changes.get("is_admin", True):
        end_impersonations(tx, row.id)
    report_change(tx, Change("account", "edit", row.id, details={"before": row}))
    username, name = names.get("username", row.username), names.get("name", row.name)
    if (username, name) != (row.username, row.name):
        _rename_namespace(tx, row.id, username, name)
    if username != row.username:
        report_change(tx, Change("user", "rename", row.id, details={"old_username": row.username}))
    if values.get("confirmed_at") is not None and values["confirmed_at"] != row.confirmed_at:
        address_confirmed(tx, row.id, names.get("email", row.email))


def _rename_namespace(tx: Connection, user_id: int, path: str, name: str) -> None:
    space = tx.execute(
        select(namespaces).where(namespaces.c.owner_id == user_id, namespaces.c.kind == "user")
    ).one_or_none()
    if space is None:
        return
    moment = now()
    tx.execute(
        update(namespaces)
        .where(namespaces.c.id == space.id)
        .values(path=path, full_path=path, full_path_lower=path.lower(), name=name, full_name=name, updated_at=moment)
    )
    inside = tx.execute(
        select(projects.c.id, projects.c.path, projects.c.name, projects.c.full_path_lower).where(
            projects.c.namespace_id == space.id
        )
    ).all()
    for project in inside:
        full_path = f"{path}/{project.path}"
        tx.execute(
            update(projects)
            .where(projects.c.id == project.id)
            .values(full_path=full_path, full_path_lower=full_path.lower(), full_name=f"{name} / {project.name}")
        )
        _redirect(tx, project.full_path_lower, full_path.lower(), project.id)


def _redirect(tx: Connection, old: str, new: str, project_id: int) -> None:
    tx.execute(delete(redirects).where(or_(redirects.c.path_lower == new, redirects.c.path_lower == old)))
    if old != new:
        tx.execute(insert(redirects).values(path_lower=old, project_id=project_id))


def move(tx: Connection, user_id: int, options: states.Move) -> bool:
    """Change the state of a user, or raise why not; False if nothing changes."""
    row = get_user(tx, user_id)
    if row.state in options.already:
        return False
    if row.kind == "ghost":
        raise Forbidden(f"An internal user cannot be {_PAST[options.name]} by the API")
    if row.state not in options.sources:
        status, text = options.refusal
        text = text.format(state=row.state)
        raise Forbidden(text) if status == 403 and "{" not in options.refusal[1] else Failure(status, text)
    if options is states.DEACTIVATE:
        _refuse_busy(row)
    tx.execute(update(users).where(users.c.id == user_id).values(state=options.target, updated_at=now()))
    if options.target != states.ACTIVE:
        close_sessions(tx, user_id)
    if options in (states.BLOCK, states.BAN):
        revoke_of_user(tx, user_id)
    report_change(tx, Change("account", options.name, user_id))
    return True


_PAST = {
    "block": "blocked", "unblock": "unblocked", "deactivate": "deactivated", "activate": "activated", "ban": "banned",
    "unban": "unbanned", "approve": "approved", "reject": "rejected",
}  # fmt: skip


def _refuse_busy(row: UserRow) -> None:
    limit = now() - timedelta(days=states.DORMANT_DAYS)
    if row.last_activity_on is not None and row.last_activity_on > limit.date():
        raise Forbidden(
            f"The user you are trying to deactivate has been active in the past {states.DORMANT_DAYS} days and"
            " cannot be deactivated by the API"
        )
