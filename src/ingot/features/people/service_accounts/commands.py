"""Creating and changing service accounts."""

import secrets
from collections.abc import Mapping
from urllib.parse import urlsplit

from sqlalchemy import Connection, insert

from ingot.access.call import Call
from ingot.features.people.service_accounts.params import AccountFields
from ingot.features.people.service_accounts.policy import confirms_addresses
from ingot.features.people.users import create_user, edit_user, problems_of, queue_account_mail
from ingot.identity.mail_tokens import CONFIRM
from ingot.identity.rows import UserRow
from ingot.identity.tables import service_accounts
from ingot.kit.clock import now
from ingot.kit.errors import BadRequest, Conflict

DEFAULT_NAME = "Service account user"


def create(call: Call, group_id: int | None, options: AccountFields) -> int:
    """Create the account; returns its user id."""
    home = "" if group_id is None else f"group_{group_id}_"
    username = options.username or f"service_account_{home}{secrets.token_hex(16)}"
    host = urlsplit(call.base_url).hostname or "localhost"
    email = options.email or f"{username}@noreply.{host}"
    values = {"name": options.name or DEFAULT_NAME, "username": username, "email": email}
    _check(values)
    is_confirmed = not options.email or confirms_addresses(call)
    with call.write() as tx:
        try:
            user_id = create_user(
                tx, username=username, name=values["name"], email=email, kind="service_account",
                created_by_id=call.actor.id, projects_limit=0, can_create_group=False,
                confirmed_at=now() if is_confirmed else None,
            )  # fmt: skip
        except Conflict as problem:
            raise BadRequest(problem.text) from None
        tx.execute(insert(service_accounts).values(user_id=user_id, group_id=group_id))
        _ask_for_confirmation(tx, user_id, is_confirmed=is_confirmed)
    return user_id


def edit(call: Call, row: UserRow, options: AccountFields) -> None:
    """Change what was sent."""
    changes = {
        name: value for name, value in options.given().items() if name in ("name", "username", "email") and value
    }
    if not changes:
        return
    _check(changes)
    is_confirmed = str(changes.get("email", row.email)).lower() == row.email_lower or confirms_addresses(call)
    with call.write() as tx:
        try:
            edit_user(tx, row, {**changes, **({} if is_confirmed else {"confirmed_at": None})})
        except Conflict as problem:
            raise BadRequest(problem.text) from None
        _ask_for_confirmation(tx, row.id, is_confirmed=is_confirmed)
    call.services.tokens.forget()


def _ask_for_confirmation(tx: Connection, user_id: int, *, is_confirmed: bool) -> None:
    if not is_confirmed:
        queue_account_mail(tx, user_id, CONFIRM)


def _check(values: Mapping[str, object]) -> None:
    problems = problems_of(values)
    if problems:
        sentences = [f"{name.capitalize()} {text}" for name, texts in problems.items() for text in texts]
        raise BadRequest(" and ".join(sentences))
