"""`ingot doctor`."""

import sys
from typing import TYPE_CHECKING

import typer

from ingot.cli.options import DATA, DATABASE, JSON
from ingot.cli.output import show_json
from ingot.cli.ready import existing_services, load_settings

if TYPE_CHECKING:
    from ingot.doctor import Finding


def doctor(
    repair: bool = typer.Option(False, "--repair", help="Repair problems that can be fixed without data loss."),
    as_json: bool = JSON,
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Check that everything stored is complete and consistent. Exit status 1 when something is wrong."""
    services = existing_services(load_settings(data=data, database_url=database_url))
    from ingot.doctor import examine

    is_well = True
    report = []
    for name, findings in examine(services, repair=repair):
        problems = [finding for finding in findings if not finding.is_note]
        is_well = is_well and all(problem.repaired for problem in problems)
        report.append(
            {
                "check": name,
                "findings": [
                    {"text": one.sentence, "repaired": one.repaired, "command": one.command} for one in problems
                ],
                "notes": [one.sentence for one in findings if one.is_note],
            }
        )
        if not as_json:
            sys.stdout.write(f"{name}: {'no problems' if not problems else ''}\n")
            sys.stdout.writelines(f"  {_told(one)}\n" for one in findings)
    if as_json:
        show_json(report)
    if not is_well:
        raise typer.Exit(1)


def _told(finding: "Finding") -> str:
    if finding.repaired:
        return f"{finding.sentence} Repaired."
    return f"{finding.sentence}\n    $ {finding.command}" if finding.command else finding.sentence
