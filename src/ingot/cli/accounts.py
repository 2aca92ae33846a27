"""`ingot user create` and `ingot token create`."""

import sys
from datetime import date, datetime
from typing import Any

import typer

from ingot.cli.options import DATA, DATABASE
from ingot.cli.ready import load_settings, ready_services
from ingot.cli.refusals import Refusal

user_cli = typer.Typer(no_args_is_help=True, help="Make users.")
token_cli = typer.Typer(no_args_is_help=True, help="Make personal access tokens.")


@user_cli.callback()
def user() -> None:
    """Make users."""


@token_cli.callback()
def token() -> None:
    """Make personal access tokens."""


@user_cli.command("create")
def create_user(
    username: str = typer.Argument(help="User name."),
    email: str = typer.Option(..., help="E-mail address."),
    name: str | None = typer.Option(None, help="Display name; the user name when left out."),
    password: str | None = typer.Option(None, help="Password; nobody can sign in with one when left out."),
    admin: bool = typer.Option(False, "--admin", help="Make an administrator."),
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Make a user."""
    services = ready_services(load_settings(data=data, database_url=database_url))
    from ingot.features.people.users import create_user as create
    from ingot.features.people.users import problems_of
    from ingot.identity import passwords
    from ingot.kit.errors import ApiError

    values: dict[str, Any] = {"username": username, "email": email, "name": name or username}
    problems = problems_of({**values, "password": password})
    if problems:
        raise Refusal("; ".join(f"{field} {text}" for field, texts in problems.items() for text in texts))
    more = {} if password is None else {"password_hash": passwords.hashed(password)}
    try:
        with services.db.write() as tx:
            user_id = create(tx, **values, is_admin=admin, **more)
    except ApiError as error:
        raise Refusal(f"{error.text}.") from error
    sys.stdout.write(f"User {username} has the id {user_id}.\n")


@token_cli.command("create")
def create_token(
    username: str = typer.Argument(help="User name."),
    name: str = typer.Option("command line", help="Name of the token."),
    scopes: str = typer.Option("api", help="Scopes, separated by commas."),
    expires: str | None = typer.Option(None, help="Expiry as YYYY-MM-DD; a year from today when left out."),
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Make a token and print its value; it is not shown again."""
    services = ready_services(load_settings(data=data, database_url=database_url))
    from sqlalchemy import select

    from ingot.identity import tokens
    from ingot.identity.tables import users

    wanted = [scope.strip() for scope in scopes.split(",") if scope.strip()]
    unknown = [scope for scope in wanted if scope not in tokens.SCOPES]
    if unknown or not wanted:
        raise Refusal(f"{', '.join(unknown) or 'An empty text'} is no scope; known are {', '.join(tokens.SCOPES)}.")
    with services.db.write() as tx:
        user_id = tx.execute(select(users.c.id).where(users.c.username_lower == username.lower())).scalar_one_or_none()
        if user_id is None:
            raise Refusal(f"There is no user {username}.")
        _, clear = tokens.create(tx, user_id, name, wanted, expires_at=_day(expires))
    sys.stdout.write(f"{clear}\n")


def _day(text: str | None) -> date | None:
    try:
        return None if text is None else datetime.strptime(text, "%Y-%m-%d").date()  # noqa: DTZ007 - a date has no zone
    except ValueError:
        raise Refusal(f"{text} is no date; write it as YYYY-MM-DD.") from None
