"""`ingot doctor`."""

import sys

import typer

from ingot.cli.options import DATA, DATABASE
from ingot.cli.ready import load_settings, ready_services


def doctor(
    repair: bool = typer.Option(False, "--repair", help="Put right what can be put right without loss."),
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Look whether everything that is stored agrees with itself. Exit status 1 when something is wrong."""
    services = ready_services(load_settings(data=data, database_url=database_url))
    from ingot.doctor import examine

    is_well = True
    for name, findings in examine(services, repair=repair):
        sys.stdout.write(f"{name}: {'in order' if not findings else ''}\n")
        for finding in findings:
            is_well = is_well and finding.repaired
            sys.stdout.write(f"  {finding.sentence}{' Repaired.' if finding.repaired else ''}\n")
    if not is_well:
        raise typer.Exit(1)
