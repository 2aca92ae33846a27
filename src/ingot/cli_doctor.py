"""`ingot doctor`."""

import sys

import typer

from ingot import app as composition
from ingot import settings as configuration
from ingot.doctor import examine
from ingot.kit import schema


def doctor(
    repair: bool = typer.Option(False, "--repair", help="Put right what can be put right without loss."),
    data: str | None = typer.Option(None, help="Data folder."),
    database_url: str | None = typer.Option(None, help="Database URL."),
) -> None:
    """Look whether everything that is stored agrees with itself. Exit status 1 when something is wrong."""
    composition.load_features()
    services = composition.build_services(configuration.load({"data": data, "database_url": database_url}))
    schema.prepare(services.db)
    is_well = True
    for name, findings in examine(services, repair=repair):
        sys.stdout.write(f"{name}: {'in order' if not findings else ''}\n")
        for finding in findings:
            is_well = is_well and finding.repaired
            sys.stdout.write(f"  {finding.sentence}{' Repaired.' if finding.repaired else ''}\n")
    if not is_well:
        raise typer.Exit(1)
