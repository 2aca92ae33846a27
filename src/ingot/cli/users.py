"""`ingot user`: the people of an instance."""

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import typer

from ingot.cli.local_api import LocalApi
from ingot.cli.options import DATA, DATABASE, JSON, LIMIT, YES, confirm
from ingot.cli.output import show_one, show_rows
from ingot.cli.ready import existing_services, load_settings
from ingot.cli.refusals import Refusal, no_user

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ingot.identity.rows import UserRow

user_cli = typer.Typer(no_args_is_help=True, help="Create, list, block and delete users.")
COLUMNS = ("id", "username", "name", "email", "state", "is_admin", "created_at")
NAME = typer.Argument(help="Username.")


@user_cli.command("list")
def list_users(
    search: str | None = typer.Option(
        None, help="Only users whose name or email contains this text.", show_default="all"
    ),
    limit: int = LIMIT,
    as_json: bool = JSON,
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """List users, newest first."""
    show_rows(LocalApi(data, database_url).rows("/users", limit, search=search), COLUMNS, as_json=as_json)


@user_cli.command("show")
def show_user(
    username: str = NAME, as_json: bool = JSON, data: str | None = DATA, database_url: str | None = DATABASE
) -> None:
    """Show one user."""
    api = LocalApi(data, database_url)
    show_one(api.get(f"/users/{api.user(username)['id']}"), as_json=as_json)


@user_cli.command("block")
def block_user(username: str = NAME, data: str | None = DATA, database_url: str | None = DATABASE) -> None:
    """Block a user. Their password and tokens stop working."""
    _move(username, "block", "blocked", data, database_url)


@user_cli.command("unblock")
def unblock_user(username: str = NAME, data: str | None = DATA, database_url: str | None = DATABASE) -> None:
    """Unblock a user."""
    _move(username, "unblock", "active", data, database_url)


@user_cli.command("password")
def set_password(
    username: str = NAME,
    stdin: bool = typer.Option(False, "--stdin", help="Read the password from standard input."),
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Set a user's password."""
    api = LocalApi(data, database_url)
    user = api.user(username)
    password = (
        sys.stdin.readline().rstrip("\n")
        if stdin
        else typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    )
    api.put(f"/users/{user['id']}", password=password)
    sys.stdout.write(f"{user['username']}: password changed.\n")


@user_cli.command("delete")
def delete_user(
    username: str = NAME,
    everything: bool = typer.Option(
        False, "--everything", help="Also delete their contributions and the groups that only they own."
    ),
    yes: bool = YES,
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Delete a user and their projects. Their other contributions are assigned to the ghost user."""
    api = LocalApi(data, database_url)
    user = api.user(username)
    _require_another_administrator(api, user)
    confirm(f"Delete {user['username']} and all their projects?", yes=yes)
    api.delete(f"/users/{user['id']}", hard_delete=everything)
    sys.stdout.write(f"{user['username']} was deleted.\n")


def _move(username: str, verb: str, state: str, data: str | None, database_url: str | None) -> None:
    api = LocalApi(data, database_url)
    user = api.user(username)
    if verb == "block":
        _require_another_administrator(api, user)
    api.post(f"/users/{user['id']}/{verb}")
    sys.stdout.write(f"{user['username']} is now {state}.\n")


def _require_another_administrator(api: LocalApi, user: Mapping[str, object]) -> None:
    """Refuse to block or delete the last administrator."""
    others = [row for row in api.rows("/users", 2, admins=True, active=True) if row["id"] != user["id"]]
    if user["is_admin"] and not others:
        raise Refusal(f"{user['username']} is the only administrator. Create another administrator first.")


@user_cli.command("create")
def create_user(
    username: str = typer.Argument(help="Username."),
    email: str = typer.Option(..., help="Email address."),
    name: str | None = typer.Option(None, help="Display name.", show_default="the username"),
    password: str | None = typer.Option(None, help="Password.", show_default="none, only tokens work"),
    admin: bool = typer.Option(False, "--admin", help="Create an administrator."),
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Create a user."""
    services = existing_services(load_settings(data=data, database_url=database_url))
    from ingot.features.people.users import create_user as create
    from ingot.features.people.users import problems_of
    from ingot.identity import passwords
    from ingot.kit.errors import ApiError

    values: dict[str, Any] = {"username": username, "email": email, "name": name or username}
    problems = problems_of({**values, "password": password})
    if problems:
        named = {"username": f"The username {username}", "email": f"The address {email}", "password": "The password"}
        wrong = [f"{named.get(field, field)} {texts[0].rstrip('.')}" for field, texts in problems.items()]
        raise Refusal(f"{'; '.join(wrong)}. Choose another.")
    more = {} if password is None else {"password_hash": passwords.hashed(password)}
    try:
        with services.db.write() as tx:
            user_id = create(tx, **values, is_admin=admin, **more)
    except ApiError as error:
        raise Refusal(
            f"{error.text.rstrip('.')}. Choose another one. Run `ingot user list` to see existing users."
        ) from error
    sys.stdout.write(f"Created user {username} with ID {user_id}.\n")


@user_cli.command("sign-in-link")
def make_sign_in_link(username: str = NAME, data: str | None = DATA, database_url: str | None = DATABASE) -> None:
    """Create a one-time sign-in link so that a user can set a password."""
    services = existing_services(load_settings(data=data, database_url=database_url))
    from ingot.identity.sign_in_links import create_sign_in_path

    with services.db.write() as tx:
        user = _get_user(tx, username)
        if user.kind != "human":
            raise Refusal(f"{username} is not a regular user account and cannot sign in.")
        path = create_sign_in_path(tx, user.id)
    sys.stdout.write(f"{services.settings.public_url}{path}\nThe link works once and is valid for one day.\n")


@user_cli.command("disable-two-factor")
def disable_two_factor(username: str = NAME, data: str | None = DATA, database_url: str | None = DATABASE) -> None:
    """Turn off two-factor authentication for a user, including administrators."""
    services = existing_services(load_settings(data=data, database_url=database_url))
    from ingot.identity import second_factors

    with services.db.write() as tx:
        user = _get_user(tx, username)
        if not second_factors.disable(tx, user.id):
            raise Refusal(f"{user.username} does not use two-factor authentication.")
    sys.stdout.write(f"Two-factor authentication is now off for {user.username}.\n")


def _get_user(conn: "Connection", username: str) -> "UserRow":
    from ingot.identity.authentication import user_by_name_or_id

    user = user_by_name_or_id(conn, username)
    if user is None:
        raise no_user(username)
    return user
