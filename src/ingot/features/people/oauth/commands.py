"""Changing applications."""

import secrets
from typing import Protocol

from sqlalchemy import Connection, delete, insert, update

from ingot.features.people.oauth.redirects import problems_of
from ingot.features.people.oauth.rows import ApplicationRow
from ingot.features.people.oauth.scopes import SCOPES, parse_scopes
from ingot.identity.oauth_tables import oauth_applications as applications
from ingot.identity.tokens import digest
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.errors import Invalid, ParamError

UNKNOWN_SCOPES = "doesn't match configured on the server."
LONGEST = 255
LONGEST_URIS = 10_000


class NewApplication(Protocol):
    """The options of a new application."""

    name: str
    redirect_uri: str
    scopes: str
    confidential: bool
    trusted: bool


def create_application(
    tx: Connection, options: NewApplication, *, user_id: int | None = None, group_id: int | None = None
) -> tuple[ApplicationRow, str]:
    """Register an application; returns its row and its secret."""
    scopes = parse_scopes(options.scopes)
    if not scopes:
        raise ParamError("scopes is empty")
    _check(options, scopes)
    clear, moment = new_secret(), now()
    row: ApplicationRow = tx.execute(
        insert(applications)
        .values(
            uid=secrets.token_hex(32),
            name=options.name.strip(),
            secret_digest=digest(clear),
            redirect_uri="\n".join(options.redirect_uri.split()),
            scopes=scopes,
            confidential=options.confidential,
            trusted=options.trusted,
            user_id=user_id,
            group_id=group_id,
            created_at=moment,
            updated_at=moment,
        )
        .returning(*applications.c)
    ).one()
    _report(tx, "create", row)
    return row, clear


def _check(options: NewApplication, scopes: list[str]) -> None:
    problems: dict[str, list[str]] = {}
    if not options.name.strip():
        problems["name"] = ["can't be blank"]
    elif len(options.name) > LONGEST:
        problems["name"] = [f"is too long (maximum is {LONGEST} characters)"]
    if not options.redirect_uri.split():
        problems["redirect_uri"] = ["can't be blank"]
    elif len(options.redirect_uri) > LONGEST_URIS:
        problems["redirect_uri"] = [f"is too long (maximum is {LONGEST_URIS} characters)"]
    elif wrong := problems_of(options.redirect_uri):
        problems["redirect_uri"] = wrong
    if not set(scopes) <= set(SCOPES):
        problems["scopes"] = [UNKNOWN_SCOPES]
    if problems:
        raise Invalid(problems)


def renew_secret(tx: Connection, row: ApplicationRow) -> str:
    """A new secret; the former one is refused at once."""
    clear = new_secret()
    values = {"secret_digest": digest(clear), "updated_at": now()}
    tx.execute(update(applications).where(applications.c.id == row.id).values(values))
    _report(tx, "renew", row)
    return clear


def delete_application(tx: Connection, row: ApplicationRow) -> None:
    """Delete an application with every token that it holds."""
    tx.execute(delete(applications).where(applications.c.id == row.id))
    _report(tx, "delete", row)


def new_secret() -> str:
    """A client secret, shown once."""
    return f"gloas-{secrets.token_hex(32)}"


def _report(tx: Connection, action: str, row: ApplicationRow) -> None:
    details = {"type": "oauth_application", "name": row.name}
    report_change(
        tx, Change("audited_record", action, row.id, group_id=row.group_id, user_id=row.user_id, details=details)
    )
