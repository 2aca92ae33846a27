"""The command line: each command is a module; errors are one sentence and an exit status."""

import sys

import typer

from ingot.cli.archives import export_command, import_command
from ingot.cli.backup import backup, restore
from ingot.cli.describe import openapi, print_version, version
from ingot.cli.doctor import doctor
from ingot.cli.instance_settings import settings_cli
from ingot.cli.jobs import jobs_cli, worker
from ingot.cli.projects import project_cli
from ingot.cli.refusals import sentence_of
from ingot.cli.runner import runner
from ingot.cli.serve import init, serve
from ingot.cli.service import service_cli
from ingot.cli.signing_keys import signing_key_cli
from ingot.cli.ssh import ssh_cli
from ingot.cli.tokens import token_cli
from ingot.cli.users import user_cli

cli = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)
for verb in (serve, worker, init, backup, restore, doctor, openapi, version, runner):
    cli.command()(verb)
cli.command("export")(export_command)
cli.command("import")(import_command)
cli.add_typer(user_cli, name="user")
cli.add_typer(token_cli, name="token")
cli.add_typer(project_cli, name="project")
cli.add_typer(settings_cli, name="settings")
cli.add_typer(jobs_cli, name="jobs")
cli.add_typer(service_cli, name="service")
cli.add_typer(ssh_cli, name="ssh")
cli.add_typer(signing_key_cli, name="signing-key")


@cli.callback()
def ingot(
    show_version: bool = typer.Option(
        False, "--version", callback=print_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """Ingot: a light code-hosting and CI service."""


def main() -> None:
    """Entry point: expected errors are one sentence; anything else is a bug and shows its trace."""
    try:
        cli()
    except Exception as error:
        sentence = sentence_of(error)
        if sentence is None:
            raise
        sys.stderr.write(f"ingot: {sentence}\n")
        sys.exit(1)
