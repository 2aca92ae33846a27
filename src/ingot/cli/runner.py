"""`ingot runner`: runs CI jobs in a shell on this machine. Nothing starts it but this command."""

import getpass
import logging
import signal
import sys
from pathlib import Path

import typer

from ingot.cli.refusals import Refusal

WARNING = (
    "WARNING: jobs run as user {user} on this machine, in a plain shell and without isolation. Anyone who can push to\n"
    "a project that this runner serves can run any program here and read every file that {user} can read. Use it for\n"
    "demos and for people you trust; for everything else use a runner with containers.\n"
)


def runner(
    url: str = typer.Option(..., envvar="INGOT_RUNNER_URL", help="URL of the server."),
    token: str = typer.Option(..., envvar="INGOT_RUNNER_TOKEN", help="Runner token (`glrt-…`)."),
    builds: Path = typer.Option(Path("builds"), help="Folder where jobs run."),
    concurrent: int = typer.Option(1, min=1, max=64, help="Number of concurrent jobs."),
    interval: float = typer.Option(3.0, min=0.1, max=3600, help="Seconds between job requests."),
    once: bool = typer.Option(False, "--once", help="Exit when no jobs are left."),
) -> None:
    """Run CI jobs on this machine with the standard runner protocol."""
    from ingot.runner import Runner
    from ingot.runner.protocol import Refused, Unreachable

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S", stream=sys.stderr)
    try:
        created = Runner(url, token, builds.absolute(), concurrent=concurrent, interval=interval)
    except ValueError as error:
        raise Refusal(f"{error}.") from error
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: created.stop())
    sys.stderr.write(WARNING.format(user=getpass.getuser()))
    try:
        created.coordinator.verify()
        sys.stdout.write(f"Ingot runner is polling {url} for jobs.\n")
        sys.stdout.flush()
        created.run(once=once)
    except Refused as refusal:
        if refusal.status in (401, 403):
            raise Refusal(f"Invalid token: {url} has no runner with this token.") from refusal
        raise Refusal(f"The server rejected this runner: {refusal}.") from refusal
    except Unreachable as error:
        raise Refusal(f"{url} does not respond: {error}. Check the URL and that the server is running.") from error
