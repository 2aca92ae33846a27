"""`ingot ssh`: what the machine's own OpenSSH runs (docs/ssh.md). Served by `ingot.ssh_client`; here is its help."""

import sys

import typer

from ingot.cli.options import DATA

ssh_cli = typer.Typer(no_args_is_help=True, help="Commands for the OpenSSH server of this machine.")


@ssh_cli.command("authorized-keys")
def authorized_keys(
    user: str = typer.Argument(help="User name of the SSH connection."),
    key: str = typer.Argument(help="Offered public key, base64-encoded."),
    data: str | None = DATA,
) -> None:
    """Print the authorized_keys line for a key, for `AuthorizedKeysCommand`. Prints nothing for unknown keys."""
    _run("authorized-keys", data, user, key)


@ssh_cli.command("shell")
def shell(name: str = typer.Argument(help="Name of the key, `key-5`."), data: str | None = DATA) -> None:
    """Run the command that the SSH client requested."""
    _run("shell", data, name)


def _run(verb: str, data: str | None, *words: str) -> None:
    from ingot import ssh_client

    sys.exit(ssh_client.main([verb, *(("--data", data) if data is not None else ()), *words]))
