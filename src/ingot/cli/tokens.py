"""`ingot token`: personal access tokens."""

import sys
from datetime import date, datetime

import typer

from ingot.cli.local_api import LocalApi
from ingot.cli.options import DATA, DATABASE, JSON, LIMIT
from ingot.cli.output import show_rows
from ingot.cli.ready import existing_services, load_settings
from ingot.cli.refusals import Refusal, no_user

token_cli = typer.Typer(no_args_is_help=True, help="Create, list and revoke personal access tokens.")
COLUMNS = ("id", "name", "scopes", "active", "revoked", "last_used_at", "expires_at")


@token_cli.command("list")
def list_tokens(
    username: str = typer.Argument(help="Username."),
    limit: int = LIMIT,
    as_json: bool = JSON,
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """List the tokens of a user."""
    api = LocalApi(data, database_url)
    rows = api.rows("/personal_access_tokens", limit, user_id=api.user(username)["id"])
    show_rows(rows, COLUMNS, as_json=as_json)


@token_cli.command("revoke")
def revoke_token(
    token_id: int = typer.Argument(help="ID of the token, as shown by `ingot token list`."),
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Revoke a token."""
    api = LocalApi(data, database_url)
    if api.find(f"/personal_access_tokens/{token_id}") is None:
        raise Refusal(f"There is no token {token_id}. Run `ingot token list USER` to see token IDs.")
    api.delete(f"/personal_access_tokens/{token_id}")
    sys.stdout.write(f"Token {token_id} was revoked.\n")


@token_cli.command("create")
def create_token(
    username: str = typer.Argument(help="Username."),
    name: str = typer.Option("command line", help="Name of the token."),
    scopes: str = typer.Option("api", help="Scopes, separated by commas."),
    expires: str | None = typer.Option(None, help="Expiration date, as YYYY-MM-DD.", show_default="a year from today"),
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Create a token and print it. It will not be shown again."""
    services = existing_services(load_settings(data=data, database_url=database_url))
    from sqlalchemy import select

    from ingot.identity import tokens
    from ingot.identity.tables import users

    scope_list = [scope.strip() for scope in scopes.split(",") if scope.strip()]
    unknown = [scope for scope in scope_list if scope not in tokens.SCOPES]
    if unknown or not scope_list:
        raise Refusal(f"Unknown scope: {', '.join(unknown) or '(empty)'}. Valid scopes are {', '.join(tokens.SCOPES)}.")
    with services.db.write() as tx:
        user_id = tx.execute(select(users.c.id).where(users.c.username_lower == username.lower())).scalar_one_or_none()
        if user_id is None:
            raise no_user(username)
        _, clear = tokens.create(tx, user_id, name, scope_list, expires_at=_day(expires))
    sys.stdout.write(f"{clear}\n")


def _day(text: str | None) -> date | None:
    try:
        return None if text is None else datetime.strptime(text, "%Y-%m-%d").date()  # noqa: DTZ007 - a date has no zone
    except ValueError:
        raise Refusal(f"{text} is not a valid date. Use the format YYYY-MM-DD.") from None
