"""`ingot project`: the projects of an instance."""

import sys
from typing import Any

import typer

from ingot.cli.local_api import LocalApi, encoded
from ingot.cli.options import DATA, DATABASE, JSON, LIMIT, YES, confirm
from ingot.cli.output import show_one, show_rows
from ingot.cli.refusals import no_project

project_cli = typer.Typer(no_args_is_help=True, help="List, show and delete projects.")
COLUMNS = ("id", "path_with_namespace", "visibility", "archived", "default_branch", "last_activity_at")
PROJECT = typer.Argument(help="ID or full path of the project.")


@project_cli.command("list")
def list_projects(
    search: str | None = typer.Option(
        None, help="Only projects whose name or path contains this text.", show_default="all"
    ),
    limit: int = LIMIT,
    as_json: bool = JSON,
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """List projects, newest first."""
    show_rows(LocalApi(data, database_url).rows("/projects", limit, search=search), COLUMNS, as_json=as_json)


@project_cli.command("show")
def show_project(
    project: str = PROJECT, as_json: bool = JSON, data: str | None = DATA, database_url: str | None = DATABASE
) -> None:
    """Show one project."""
    show_one(_project(LocalApi(data, database_url), project), as_json=as_json)


@project_cli.command("delete")
def delete_project(
    project: str = PROJECT,
    now: bool = typer.Option(False, "--now", help="Delete permanently, even if the instance delays deletion."),
    yes: bool = YES,
    data: str | None = DATA,
    database_url: str | None = DATABASE,
) -> None:
    """Delete a project. Its files are removed by the running server or at the next start."""
    api = LocalApi(data, database_url)
    row = _project(api, project)
    path, address = row["path_with_namespace"], f"/projects/{row['id']}"
    confirm(f"Delete {path}?", yes=yes)
    if row.get("marked_for_deletion_on") is None:
        api.delete(address)
    marked = api.find(address)
    if marked is not None and now:
        api.delete(address, permanently_remove=True, full_path=marked["path_with_namespace"])
        marked = None
    if marked is None:
        sys.stdout.write(f"{path} was deleted.\n")
    else:
        day = marked["marked_for_deletion_on"]
        sys.stdout.write(f"{path} has been marked for deletion since {day}. Use `--now` to delete it immediately.\n")


def _project(api: LocalApi, id_or_path: str) -> dict[str, Any]:
    # Without a path it would be the address of the list.
    row: dict[str, Any] | None = api.find(f"/projects/{encoded(id_or_path)}", statistics=True) if id_or_path else None
    if row is None:
        raise no_project(id_or_path)
    return row
