"""Commands about the caller's own account: new recovery codes, and a new personal access token."""

from datetime import timedelta

import msgspec
from sqlalchemy import select

from ingot.features.code.git_ssh.holders import Holder, KeyRefused
from ingot.features.people.personal_access_tokens import create_token
from ingot.identity.second_factors import has_second_factor, renew_recovery_codes
from ingot.identity.tables import users
from ingot.identity.tokens import ADMIN_SCOPES, SCOPES
from ingot.kit.clock import today
from ingot.kit.errors import ApiError
from ingot.kit.services import Services

QUESTION = """Are you sure you want to generate new two-factor recovery codes?
Any existing recovery codes you saved will be invalidated. (yes/no)
"""
UNCHANGED = "\nNew recovery codes have *not* been generated. Existing codes will remain valid.\n"
NOT_ENABLED = "Two-factor authentication is not enabled for this user"
NO_CODES_FOR_MACHINES = "Deploy keys cannot be used to retrieve recovery codes"
NO_TOKENS_FOR_MACHINES = "Deploy keys cannot be used to create personal access tokens"
# Their token ends when the project says so; another would stay.
NO_TOKENS_FOR_BOTS = "Bots cannot be used to create personal access tokens"
USAGE = "Usage: personal_access_token <name> <scope1[,scope2,...]> [ttl_days]"
DEFAULT_DAYS, MOST_DIGITS = 30, 5


class TokenOptions(msgspec.Struct):
    """The new token that the words of a command describe."""

    name: str
    scopes: list[str]
    description: str | None = None


def renew_codes(services: Services, holder: Holder) -> str:
    """New recovery codes, as the terminal shows them."""
    if holder.deploy_key_id is not None:
        raise KeyRefused(NO_CODES_FOR_MACHINES)
    with services.db.write() as tx:
        if not has_second_factor(tx, holder.actor.id):
            raise KeyRefused(NOT_ENABLED)
        codes = renew_recovery_codes(tx, holder.actor.id)
    hint = "Each code signs you in once, in place of the code of your device. Keep them in a safe place."
    return "\n".join(("", "Your two-factor authentication recovery codes are:", "", *codes, "", hint, ""))


def create_personal_token(services: Services, holder: Holder, words: tuple[str, ...]) -> str:
    """A new token, as the terminal shows it once."""
    if holder.deploy_key_id is not None:
        raise KeyRefused(NO_TOKENS_FOR_MACHINES)
    if len(words) not in (2, 3):
        raise KeyRefused(USAGE)
    if not words[0].strip():
        raise KeyRefused("No token name specified")
    scopes = _read_scopes(words[1], is_admin=holder.actor.is_admin)
    expires_at = today() + timedelta(days=_read_days(words[2]) if len(words) == 3 else DEFAULT_DAYS)
    try:
        with services.db.write() as tx:
            if tx.execute(select(users.c.kind).where(users.c.id == holder.actor.id)).scalar_one() == "project_bot":
                raise KeyRefused(NO_TOKENS_FOR_BOTS)
            row, clear = create_token(tx, holder.actor.id, TokenOptions(words[0], scopes), expires_at=expires_at)
    except ApiError as error:
        raise KeyRefused(error.text) from None
    return f"Token:   {clear}\nScopes:  {','.join(row.scopes)}\nExpires: {row.expires_at}\n"


def _read_scopes(text: str, *, is_admin: bool) -> list[str]:
    valid = SCOPES if is_admin else [scope for scope in SCOPES if scope not in ADMIN_SCOPES]
    scopes = text.split(",")
    unknown = next((scope for scope in scopes if scope not in valid), None)
    if unknown is not None:
        names = ", ".join(f'"{scope}"' for scope in valid)
        raise KeyRefused(f"Invalid scope: '{unknown[:50]}'. Valid scopes are: [{names}]")
    return scopes


def _read_days(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS and int(text)):
        raise KeyRefused(f"Invalid value for days_ttl: '{text[:50]}'")
    return int(text)
