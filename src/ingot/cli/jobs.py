"""`ingot worker` and `ingot jobs`: running background work in a process of its own, and looking after it."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import typer

from ingot.cli.options import DATA, DATABASE, JSON, default_of
from ingot.cli.output import show_rows
from ingot.cli.ready import existing_services, load_settings, require_git
from ingot.cli.refusals import Refusal

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ingot.kit.services import Services

jobs_cli = typer.Typer(no_args_is_help=True, help="List, retry and cancel background jobs.")

COLUMNS = ("id", "kind", "key", "state", "attempts", "queued", "progress", "error")
STATES = ("queued", "running", "done", "failed", "cancelled")


def worker(
    data: str | None = DATA,
    database_url: str | None = DATABASE,
    threads: int | None = typer.Option(
        None, help="Number of concurrent jobs.", show_default=default_of("worker_threads")
    ),
) -> None:
    """Run background jobs only. Use with `serve --no-worker` nodes."""
    require_git()
    services = _services(data, database_url, worker_threads=threads)
    from ingot.features.spaces.markdown import use_text_renderer
    from ingot.kit.jobs.serving import work_until_stopped
    from ingot.kit.log_lines import log_to_stderr
    from ingot.web.markdown import render_for_mail

    log_to_stderr(services.settings.log_level)
    use_text_renderer(render_for_mail)

    def greet() -> None:
        sys.stdout.write("Ingot worker is running.\n")
        sys.stdout.flush()

    work_until_stopped(services, greet)


@jobs_cli.command("list")
def list_command(
    state: str | None = typer.Option(None, help=f"Only jobs in this state: {', '.join(STATES)}.", show_default="all"),
    kind: str | None = typer.Option(None, help="Only jobs of this kind.", show_default="all"),
    limit: int = typer.Option(50, min=1, max=10_000, help="Maximum number of jobs, newest first."),
    as_json: bool = JSON,
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """List background jobs, newest first."""
    if state is not None and state not in STATES:
        raise typer.BadParameter(f"state must be one of {', '.join(STATES)}")
    from ingot.kit.jobs import list_jobs

    with _services(data, database_url).db.read() as tx:
        jobs = list_jobs(tx, state=state, kind=kind, limit=limit)
    rows = [
        {
            "id": job.id,
            "kind": job.kind,
            "key": job.key,
            "state": job.state,
            "attempts": job.attempts,
            "queued": job.created_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "progress": dict(job.counters),
            "error": job.error,
        }
        for job in jobs
    ]
    show_rows(rows, COLUMNS, as_json=as_json)


@jobs_cli.command("retry")
def retry_command(
    job_id: int = typer.Argument(help="ID of a failed or cancelled job."),
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Retry a failed or cancelled job from its last recorded step."""
    from ingot.kit.jobs import retry

    _change(data, database_url, lambda tx: retry(tx, job_id))
    sys.stdout.write(f"Job {job_id} was queued again.\n")


@jobs_cli.command("cancel")
def cancel_command(
    job_id: int = typer.Argument(help="ID of a queued or running job."),
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Cancel a queued or running job."""
    from ingot.kit.jobs import cancel

    if _change(data, database_url, lambda tx: cancel(tx, job_id=job_id)) == 0:
        raise Refusal(f"Job {job_id} does not exist or has finished. Run `ingot jobs list` to see all jobs.")
    sys.stdout.write(f"Job {job_id} was cancelled.\n")


def _services(data: str | None, database_url: str | None, **more: object) -> "Services":
    return existing_services(load_settings(data=data, database_url=database_url, **more))


def _change(data: str | None, database_url: str | None, change: "Callable[[Connection], object]") -> object:
    services = _services(data, database_url)
    from ingot.kit.jobs import NotRetryable

    try:
        with services.db.write() as tx:
            return change(tx)
    except NotRetryable as reason:
        raise Refusal(f"{str(reason).rstrip('.')}. Run `ingot jobs list` to see all jobs.") from reason
