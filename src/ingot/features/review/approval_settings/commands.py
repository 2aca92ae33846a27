"""Changing approval settings: only what was sent changes."""

from sqlalchemy import Connection, Table, delete, insert

from ingot.access.rows import ProjectRow
from ingot.access.tables import namespaces, projects
from ingot.features.review.approval_settings import resolution
from ingot.features.review.approval_settings.tables import NAMES, group_approval_settings, project_approval_settings
from ingot.kit.clock import now
from ingot.kit.db import hold_row
from ingot.kit.errors import Failure

NOT_WHILE_RETAINED = "selective_code_owner_removals can only be enabled when retain_approvals_on_push is disabled"


def change_group(tx: Connection, group_id: int, sent: dict[str, bool]) -> None:
    """Store a group's choice."""
    hold_row(tx, namespaces, group_id)
    chosen = {**(resolution.group_choices(tx, group_id) or resolution.GROUP_DEFAULTS), **_applied(sent)}
    effective = resolution.resolve(resolution.instance_choices(tx), chosen, None, for_project=False)
    _check(chosen, sent, retained=effective["retain_approvals_on_push"].value)
    _store(tx, group_approval_settings, "group_id", group_id, chosen)


def change_project(tx: Connection, project: ProjectRow, sent: dict[str, bool]) -> None:
    """Store a project's choice; locked values are stored too, and applied once the group's lock is removed."""
    hold_row(tx, projects, project.id)
    current = resolution.project_choices(tx, project.id) or resolution.PROJECT_DEFAULTS
    chosen = {**current, **_applied(sent)}
    _store(tx, project_approval_settings, "project_id", project.id, chosen)
    retained = resolution.for_project(tx, project)["retain_approvals_on_push"].value
    _check(chosen, sent, retained=retained)
    _store(tx, project_approval_settings, "project_id", project.id, chosen)


def _applied(sent: dict[str, bool]) -> dict[str, bool]:
    return {name: value for name, value in sent.items() if name in NAMES}


def _check(chosen: dict[str, bool], sent: dict[str, bool], *, retained: bool) -> None:
    """Selective removal makes sense only while a push removes approvals; retaining switches it off."""
    if not retained or not chosen["selective_code_owner_removals"]:
        return
    if sent.get("selective_code_owner_removals"):
        raise Failure(400, NOT_WHILE_RETAINED)
    chosen["selective_code_owner_removals"] = False


def _store(tx: Connection, table: Table, owner: str, owner_id: int, chosen: dict[str, bool]) -> None:
    tx.execute(delete(table).where(table.c[owner] == owner_id))
    tx.execute(insert(table).values({owner: owner_id, **chosen, "updated_at": now()}))
