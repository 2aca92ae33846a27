"""`ingot settings`: the settings of an instance that administrators change while it runs."""

import sys

import msgspec
import typer

from ingot.cli.local_api import LocalApi
from ingot.cli.options import DATA, DATABASE, JSON
from ingot.cli.output import show_json, show_one
from ingot.cli.refusals import Refusal

settings_cli = typer.Typer(no_args_is_help=True, help="Read and change instance settings.")


@settings_cli.command("get")
def get_settings(
    name: str | None = typer.Argument(None, help="Name of the setting.", show_default="all"),
    as_json: bool = JSON,
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Show one setting or all settings."""
    values = LocalApi(data, database_url).get("/application/settings")
    if name is None:
        show_one(values, as_json=as_json)
        return
    _require_known(name, values)
    show_json(values[name])


# A value may be a negative number, which is no option.
@settings_cli.command("set", context_settings={"ignore_unknown_options": True})
def set_setting(
    name: str = typer.Argument(help="Name of the setting."),
    value: str = typer.Argument(
        help="New value. Use JSON for lists and objects, or an empty string to restore the default."
    ),
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Change a setting. Running servers apply it within a second."""
    api = LocalApi(data, database_url)
    present = api.get("/application/settings")
    _require_known(name, present)
    try:
        changed = api.put("/application/settings", **{name: _decoded(value)})
    except Refusal as refusal:
        raise Refusal(f"{str(refusal).rstrip('.')}; {_kind(present[name])}.") from refusal
    sys.stdout.write(f"{name} is {msgspec.json.encode(changed[name]).decode()}.\n")


def _require_known(name: str, values: dict[str, object]) -> None:
    if name not in values:
        from difflib import get_close_matches

        close = get_close_matches(name, values, n=1)
        hint = f"did you mean {close[0]}?" if close else "`ingot settings get` lists all"
        raise Refusal(f"There is no setting {name or 'without a name'} ({hint}).")


def _kind(present: object) -> str:
    """What a setting takes, as its present value shows it."""
    kinds = {bool: "true or false", int: "a whole number", float: "a number", list: "a list as JSON", dict: "JSON"}
    return f"expected {kinds.get(type(present), 'a string')}; current value: {msgspec.json.encode(present).decode()}"


def _decoded(text: str) -> object:
    """Lists and objects are JSON; the API itself reads numbers and booleans."""
    if not text.startswith(("[", "{")):
        return text
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise Refusal(f"{text} is not valid JSON: {error}.") from error
