"""The command line: each verb sets up what it needs and ends with one clear sentence when it cannot go on."""

import sys

import typer
import uvicorn

from ingot import app as composition
from ingot import settings as configuration
from ingot.cli_backup import backup, restore
from ingot.cli_doctor import doctor
from ingot.cli_jobs import jobs_cli, worker
from ingot.first_start import ensure_root
from ingot.kit import schema

cli = typer.Typer(no_args_is_help=True, add_completion=False)
cli.command()(worker)
cli.command()(backup)
cli.command()(restore)
cli.command()(doctor)
cli.add_typer(jobs_cli, name="jobs")


@cli.callback()
def ingot() -> None:
    """Ingot: a light code-hosting and CI service."""


@cli.command()
def serve(
    host: str | None = typer.Option(None, help="Address to listen on."),
    port: int | None = typer.Option(None, help="Port to listen on."),
    data: str | None = typer.Option(None, help="Data folder."),
    database_url: str | None = typer.Option(None, help="Database URL."),
    run_worker: bool | None = typer.Option(None, "--worker/--no-worker", help="Run background work in this process."),
) -> None:
    """Run the server in the foreground."""
    settings = configuration.load(
        {"host": host, "port": port, "data": data, "database_url": database_url, "worker": run_worker}
    )
    services = composition.build_services(settings)
    application = composition.build(services)
    schema.prepare(services.db)
    token = ensure_root(services)
    url = f"http://{settings.host}:{settings.port}"
    sys.stdout.write(f"Ingot is at {url}\n")
    if token is not None:
        sys.stdout.write(f"Administrator root, token (shown once): {token}\n")
        sys.stdout.write(f'Try: curl --header "PRIVATE-TOKEN: {token}" {url}/api/v4/user\n')
    sys.stdout.flush()
    uvicorn.run(
        application, host=settings.host, port=settings.port, log_level="warning", loop="uvloop", http="httptools"
    )


def main() -> None:
    """Entry point."""
    cli()
