"""Legacy protection of branches: one role that may push, one that may merge."""

from sqlalchemy import Connection, delete, insert, select, update

from ingot.access.levels import MAINTAINER
from ingot.features.code.protected_branches import commands
from ingot.features.code.protected_branches.commands import Level, NewBranch
from ingot.features.code.protected_branches.tables import protected_branch_access_levels, protected_branches
from ingot.kit.clock import now


def protect_for_roles(tx: Connection, project_id: int, name: str, roles: dict[str, int | None]) -> None:
    """Give the roles their rights (kind -> level); None keeps the current level of a protected branch, else means
    maintainers.

    People and groups that a protected branch names keep their rights.
    """
    known = (protected_branches.c.project_id == project_id) & (protected_branches.c.name == name)
    row_id = tx.execute(select(protected_branches.c.id).where(known).with_for_update()).scalar_one_or_none()
    if row_id is None:
        grants = {kind: [Level(MAINTAINER if level is None else level)] for kind, level in roles.items()}
        commands.protect_branch(tx, project_id, NewBranch(name, grants))
        return
    before = commands.branch_rules(tx, row_id)
    levels = protected_branch_access_levels
    for kind, level in roles.items():
        if level is not None:
            of_roles = (levels.c.protected_branch_id == row_id) & (levels.c.kind == kind)
            tx.execute(delete(levels).where(of_roles, levels.c.access_level.is_not(None)))
            tx.execute(insert(levels).values(protected_branch_id=row_id, kind=kind, access_level=level))
    tx.execute(update(protected_branches).where(protected_branches.c.id == row_id).values(updated_at=now()))
    details = {"before": before, "after": commands.branch_rules(tx, row_id)}
    commands.report_protection(tx, "update", project_id, row_id, name, details)


def unprotect(tx: Connection, project_id: int, name: str) -> None:
    """Remove the rule of exactly this name, if there is one."""
    here = (protected_branches.c.project_id == project_id) & (protected_branches.c.name == name)
    removed = delete(protected_branches).where(here).returning(protected_branches.c.id)
    for branch_id in tx.execute(removed).scalars().all():
        commands.report_protection(tx, "delete", project_id, branch_id, name)
