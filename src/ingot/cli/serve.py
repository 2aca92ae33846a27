"""`ingot serve` and `ingot init`."""

import getpass
import socket
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from ingot.cli.early_end import end_at_once_when_told
from ingot.cli.listening import bind, url_of
from ingot.cli.options import DATA, DATABASE, default_of
from ingot.cli.ready import load_settings, ready_services, require_certificate, require_folder, require_git
from ingot.cli.refusals import Refusal
from ingot.settings import Settings

if TYPE_CHECKING:
    from ingot.first_start import FirstStart
    from ingot.seed import Person

NOT_EMPTY = (
    "This instance is not empty, so no demo data was added. To reset a lost password, run `ingot user password NAME`.\n"
)


def serve(  # noqa: PLR0913, PLR0917 - each is an option of the command
    host: str | None = typer.Option(None, help="Address to listen on.", show_default=default_of("host")),
    port: int | None = typer.Option(
        None, help="Port to listen on. 0 picks a free port.", show_default=default_of("port")
    ),
    workers: int | None = typer.Option(
        None,
        min=0,
        max=64,
        help="Number of API processes. 0 means one per CPU core, at most eight.",
        show_default=default_of("workers"),
    ),
    data: str | None = DATA,
    database_url: str | None = DATABASE,
    demo: bool = typer.Option(False, "--demo", help="Fill an empty instance with demo data."),
    demo_runner: bool = typer.Option(
        False, "--demo-runner", help="Run the instance's CI jobs in this process, without isolation."
    ),
    testing: bool = typer.Option(
        False, "--testing", help="Testing mode: empty the data folder and offer POST /-/testing/reset."
    ),
    run_worker: bool | None = typer.Option(
        None, "--worker/--no-worker", help="Run background jobs in this process.", show_default="worker"
    ),
) -> None:
    """Run the server in the foreground. On SIGTERM, requests in progress are completed first."""
    settings = load_settings(
        host=host, port=port, workers=workers, data=data, database_url=database_url, worker=run_worker
    )
    if testing or demo_runner:
        # A reset reaches one process only, and a thread lives in one.
        settings = replace(settings, workers=settings.workers or 1)
    if demo_runner and settings.workers != 1:
        raise Refusal("--demo-runner requires a single worker process. With several, start `ingot runner` separately.")
    if demo_runner and settings.tls_certificate:
        raise Refusal("--demo-runner does not support TLS. Remove tls_certificate, or start `ingot runner` separately.")
    require_certificate(settings)
    require_git()
    require_folder(settings.data_folder)
    if testing:
        _empty(settings)
        settings = replace(settings, ssh=False)
    # Before anything slow: a port that is taken is known at once.
    listener = bind(settings.host, settings.port)
    ssh_listener = _bind_ssh(settings)
    if ssh_listener is not None:
        settings = replace(settings, ssh_port=ssh_listener.getsockname()[1])
    services = ready_services(settings)
    from ingot.first_start import ensure_root

    first = ensure_root(services)
    people = []
    if demo:
        from ingot.seed import plant

        people = plant(services)
    extra_pages = []
    if testing:
        from ingot.testing.pages import reset_pages

        extra_pages = reset_pages(services)
    # After the first line, its reader may stop the server.
    end_at_once_when_told()
    url = url_of(listener, settings.base_url, settings.scheme)
    _greet(url, first)
    if people:
        _introduce(people)
    elif demo:
        sys.stdout.write(NOT_EMPTY)
        sys.stdout.flush()
    from ingot.cli.processes import run

    if not demo_runner:
        sys.exit(run(services, listener, ssh_listener, url, extra_pages))
    from ingot.seed import DemoRunner

    sys.stdout.write(f"CI jobs run as user {getpass.getuser()} on this machine, without isolation.\n")
    sys.stdout.flush()
    runner = DemoRunner(services, url_of(listener))
    runner.start()
    status = run(services, listener, ssh_listener, url, extra_pages)
    runner.stop()
    sys.exit(status)


def _introduce(people: "Sequence[Person]") -> None:
    """Print the users of the demo; passwords and tokens are shown once."""
    from ingot.cli.output import show_table

    rows = [(one.username, one.role, one.password, one.token) for one in people]
    show_table(("user", "role in smithy", "password", "token"), rows)
    sys.stdout.flush()


def _empty(settings: Settings) -> None:
    from ingot.testing.pages import Unfit, empty_folder

    try:
        empty_folder(settings)
    except Unfit as error:
        raise Refusal(f"{error}.") from error


def _bind_ssh(settings: Settings) -> socket.socket | None:
    """The socket of the SSH server; without one the rest is served all the same."""
    if not settings.ssh or settings.ssh_port < 0:
        return None
    try:
        return bind(settings.host, settings.ssh_port)
    except Refusal:
        sys.stderr.write(
            f"ingot: Port {settings.ssh_port} on {settings.host} is not available, so SSH access is off."
            " Choose another port with INGOT_SSH_PORT, or turn SSH off with INGOT_SSH=off.\n"
        )
        return None


def init(data: str | None = DATA, database_url: str | None = DATABASE) -> None:
    """Create the data folder, the database and the administrator, without serving."""
    settings = load_settings(data=data, database_url=database_url)
    require_git()
    services = ready_services(settings)
    from ingot.first_start import ensure_root

    first = ensure_root(services)
    services.db.dispose()
    if first is None:
        sys.stdout.write(f"{settings.data_folder} is already set up.\n")
    else:
        sys.stdout.write(f"{settings.data_folder} is set up.\nAdministrator root, token (shown once): {first.token}\n")


def _greet(url: str, first: "FirstStart | None") -> None:
    sys.stdout.write(f"Ingot is at {url}\n")
    if first is not None:
        sys.stdout.write(f"One-time sign-in link for root: {url}{first.sign_in_path}\n")
        sys.stdout.write(f"Administrator root, token (shown once): {first.token}\n")
        sys.stdout.write(f'Try: curl --header "PRIVATE-TOKEN: {first.token}" {url}/api/v4/user\n')
    sys.stdout.flush()
