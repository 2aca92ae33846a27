"""Options that several verbs share."""

from dataclasses import fields

import typer

from ingot.settings import Settings

_DEFAULTS = {spec.name: spec.default for spec in fields(Settings)}


def default_of(name: str) -> str:
    """What `--help` shows for an option that a setting stands behind."""
    return str(_DEFAULTS[name])


DATA = typer.Option(None, help="Data folder.", show_default=default_of("data"))
DATABASE = typer.Option(
    None, help="Database URL (`sqlite:` or `postgresql:`).", show_default="SQLite, in the data folder"
)
JSON = typer.Option(False, "--json", help="Print JSON output.")
YES = typer.Option(False, "--yes", help="Skip the confirmation prompt.")
LIMIT = typer.Option(1000, min=1, max=1_000_000, help="Maximum number of results.")


def confirm(question: str, *, yes: bool) -> None:
    """Ask for confirmation; an answer other than yes ends the command."""
    if not yes:
        typer.confirm(question, abort=True)
