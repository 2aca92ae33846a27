"""`ingot ssh`: what the machine's own OpenSSH runs (docs/ssh.md). Served by `ingot.ssh_client`; here is its help."""

import sys

import typer

from ingot.cli.options import DATA

ssh_cli = typer.Typer(no_args_is_help=True, help="Commands for the machine's own OpenSSH.")


@ssh_cli.command("authorized-keys")
def authorized_keys(
    user: str = typer.Argument(help="Name that somebody signs in with."),
    key: str = typer.Argument(help="The key that they offer, as base64."),
    data: str | None = DATA,
) -> None:
    """Print the line that lets the owner of a key in, for `AuthorizedKeysCommand`; nothing for unknown keys."""
    _run("authorized-keys", data, user, key)


@ssh_cli.command("shell")
def shell(name: str = typer.Argument(help="Name of the key, `key-5`."), data: str | None = DATA) -> None:
    """Serve the command that a client asked OpenSSH for."""
    _run("shell", data, name)


def _run(verb: str, data: str | None, *words: str) -> None:
    from ingot import ssh_client

    sys.exit(ssh_client.main([verb, *(("--data", data) if data is not None else ()), *words]))
