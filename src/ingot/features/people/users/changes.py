"""From the parameters of a call to a changed user: checking, mapping names to columns, and the transaction."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from ingot.access.call import Call
from ingot.features.people.avatars import avatar_problems, replace_avatar
from ingot.features.people.users import commands, queries
from ingot.features.people.users.identities import set_identity
from ingot.features.people.users.params import CreateUser, EditUser, UserFields
from ingot.features.people.users.tables import follows
from ingot.features.people.users.validation import problems_of
from ingot.identity import passwords
from ingot.identity.rows import UserRow
from ingot.identity.tables import users
from ingot.instance import application_setting
from ingot.kit.clock import now
from ingot.kit.db import hold_row
from ingot.kit.errors import Invalid, NotModified, ParamError
from ingot.kit.params import UploadedFile

PROFILE = (
    "linkedin", "skype", "twitter", "discord", "website_url", "organization", "job_title", "pronouns", "bio",
    "location", "theme_id", "color_scheme_id", "view_diffs_file_by_file", "auditor", "shared_runners_minutes_limit",
    "extra_shared_runners_minutes_limit",
)  # fmt: skip
COLUMNS = {
    "email": "email", "name": "name", "username": "username", "projects_limit": "projects_limit", "note": "note",
    "public_email": "public_email", "commit_email": "commit_email", "admin": "is_admin", "external": "is_external",
    "can_create_group": "can_create_group", "private_profile": "private_profile",
}  # fmt: skip
NULLABLE = frozenset({"public_email", "commit_email", "note"})


def create(call: Call, options: CreateUser) -> int:
    """A new user; returns the id."""
    given = options.given()
    _check(call.conn, given, options.avatar)
    columns = _columns(given)
    settings = {name: application_setting(call.conn, name) for name in _DEFAULTS}
    for column, name in ((column, name) for name, column in _DEFAULTS.items()):
        columns.setdefault(column, settings[name])
    if options.password is not None:
        columns["password_hash"] = passwords.hashed(options.password)
    columns["confirmed_at"] = now() if options.skip_confirmation else None
    columns["created_by_id"] = call.actor.id
    columns["profile"] = _profile({}, given)
    with call.write() as tx:
        user_id = commands.create_user(tx, **columns)
        _identity(tx, user_id, options)
    if options.avatar is not None:
        replace_avatar(call.services, users, "user", user_id, options.avatar)
    return user_id


_DEFAULTS = {
    "default_projects_limit": "projects_limit",
    "can_create_group": "can_create_group",
    "user_default_external": "is_external",
}


def edit(call: Call, row: UserRow, options: EditUser) -> None:
    """Change what was sent."""
    given = {
        name: value for name, value in options.given().items() if value is not None or name in (*NULLABLE, *PROFILE)
    }
    known = {"username": row.username, "name": row.name, "email": row.email}
    _check(call.conn, given if given.get("password") is None else {**known, **given}, options.avatar)
    columns = _columns(given)
    if options.password is not None:
        columns["password_hash"] = passwords.hashed(options.password)
    if given.get("email", row.email).lower() != row.email_lower:
        columns["confirmed_at"] = now() if options.skip_reconfirmation else row.confirmed_at
    elif "email" in given and options.skip_reconfirmation and row.confirmed_at is None:
        columns["confirmed_at"] = now()  # the current address, confirmed by an administrator
    with call.write() as tx:
        columns["profile"] = _profile(hold_row(tx, users, row.id).profile, given)
        commands.edit_user(tx, row, columns)
        _identity(tx, row.id, options)
    if "avatar" in options.sent:
        replace_avatar(call.services, users, "user", row.id, options.avatar)
    forget_tokens(call)


def forget_tokens(call: Call) -> None:
    """Clear the token cache, which may contain the changed user."""
    call.services.tokens.forget()


def follow(call: Call, user_id: int) -> UserRow:
    """The caller follows the user from now on."""
    with call.write() as tx:
        row = queries.get_user(tx, user_id)
        pair = {"follower_id": call.actor.id, "followee_id": user_id}
        known = tx.execute(select(follows).filter_by(**pair)).first()
        if known is not None or user_id == call.actor.id:
            raise NotModified
        tx.execute(insert(follows).values(**pair, created_at=now()))
    return row


def unfollow(call: Call, user_id: int) -> UserRow:
    """The caller follows the user no longer."""
    with call.write() as tx:
        row = queries.get_user(tx, user_id)
        gone = tx.execute(delete(follows).filter_by(follower_id=call.actor.id, followee_id=user_id))
        if not gone.rowcount:
            raise NotModified
    return row


def _check(conn: Connection, values: Mapping[str, object], avatar: UploadedFile | None) -> None:
    problems = problems_of(values, passwords.password_rules(conn) if "password" in values else None)
    if picture := avatar_problems(avatar):
        problems["avatar"] = picture
    if problems:
        raise Invalid(problems)


def _columns(given: Mapping[str, object]) -> dict[str, Any]:
    result = {column: given[name] for name, column in COLUMNS.items() if name in given}
    return {column: value for column, value in result.items() if value is not None or column in NULLABLE}


def _profile(known: Mapping[str, object], given: Mapping[str, object]) -> dict[str, Any]:
    return {**known, **{name: given[name] for name in PROFILE if name in given}}


def _identity(tx: Connection, user_id: int, options: UserFields) -> None:
    if options.provider and options.extern_uid:
        set_identity(tx, user_id, options.provider, options.extern_uid, options.group_id_for_saml)
    elif options.provider is not None and options.extern_uid is not None:
        raise ParamError("extern_uid, provider provide all or none of parameters")
