"""The protected branches of projects together with those that the groups above them protect."""

from typing import Any

from sqlalchemy import ColumnElement, Select, Subquery, Table, bindparam, false, literal, null, select, true, union_all

from ingot.access.tables import namespace_ancestors, projects
from ingot.features.code.protected_branches.tables import (
    group_protected_branch_access_levels,
    group_protected_branches,
    protected_branch_access_levels,
    protected_branches,
)

_COLUMNS = ("id", "name", "allow_force_push", "code_owner_approval_required", "created_at", "updated_at")


def _columns(table: Table, project_id: ColumnElement[int], *, inherited: bool) -> list[ColumnElement[Any]]:
    own = (table.c[name] for name in _COLUMNS)
    return [project_id.label("project_id"), *own, (true() if inherited else false()).label("inherited")]


def _from_groups(*columns: ColumnElement[Any]) -> Select[Any]:
    return (
        select(*columns)
        .join_from(group_protected_branches, namespace_ancestors,
                   namespace_ancestors.c.ancestor_id == group_protected_branches.c.group_id)
        .join(projects, projects.c.namespace_id == namespace_ancestors.c.namespace_id)
    )  # fmt: skip


def _everywhere() -> Subquery:
    own = select(*_columns(protected_branches, protected_branches.c.project_id, inherited=False))
    above = _from_groups(*_columns(group_protected_branches, projects.c.id, inherited=True))
    return union_all(own, above).subquery("all_protected_branches")


# One row for each project and each rule that holds there.
all_protected_branches = _everywhere()


def inherited_rules() -> Select[Any]:
    """The grants of the rules of groups above the project `of_project`, as `protection` reads its own."""
    levels = group_protected_branch_access_levels
    table = group_protected_branches
    return (
        _from_groups(
            literal("group").label("source"),
            table.c.id.label("rule_id"),
            table.c.name,
            table.c.allow_force_push,
            table.c.code_owner_approval_required,
            levels.c.id.label("grant_id"),
            levels.c.kind,
            levels.c.access_level,
            null().label("user_id"),
            null().label("group_id"),
        )
        .outerjoin(levels, levels.c.protected_branch_id == table.c.id)
        .where(projects.c.id == bindparam("of_project"))
    )


LEVELS_OF = {False: protected_branch_access_levels, True: group_protected_branch_access_levels}
