"""`ingot signing-key`: the key that signs identity tokens."""

import sys

import typer

from ingot.cli.options import DATA, DATABASE
from ingot.cli.ready import existing_services, load_settings

signing_key_cli = typer.Typer(no_args_is_help=True, help="Replace the key that signs identity tokens.")


@signing_key_cli.callback()
def signing_key() -> None:
    """Replace the key that signs identity tokens."""


@signing_key_cli.command("rotate")
def rotate_signing_key(data: str | None = DATA, database_url: str | None = DATABASE) -> None:
    """Rotate the signing key. Tokens signed with the old key can still be verified."""
    services = existing_services(load_settings(data=data, database_url=database_url))
    from ingot.identity.signing_keys import rotate

    sys.stdout.write(f"New tokens are now signed with key {rotate(services)}.\n")
