"""Variables configured outside the file: of the instance, the parent groups, and the project."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, or_, select

from ingot.access.rows import ProjectRow
from ingot.access.tables import namespace_ancestors
from ingot.features.ci.variables.layers import CiVariable
from ingot.features.ci.variables.rows import CiVariableRow, InheritedVariableRow
from ingot.features.ci.variables.tables import ci_variables
from ingot.kit.sealing import unseal
from ingot.kit.services import Services
from ingot.kit.wildcards import matches_wildcard


def configured_variables(
    services: Services, conn: Connection, project: ProjectRow, *, is_protected: bool, environment: str | None = None
) -> list[CiVariable]:
    """Instance, then groups from the top down, then the project: the later wins where a key occurs twice."""
    place = {"of_project": project.id, "below": project.namespace_id}
    rows: Sequence[InheritedVariableRow] = conn.execute(_of_project(), place).all()
    allowed = [row for row in rows if is_protected or not row.protected]
    levels = sorted({_level(row) for row in allowed})
    result: list[CiVariable] = []
    for level in levels:
        best = most_specific([row for row in allowed if _level(row) == level], environment)
        result += [_ci_variable(services, row) for row in best]
    return result


@cache
def _of_project() -> Select[Any]:
    table, above = ci_variables, namespace_ancestors
    is_above = and_(above.c.ancestor_id == table.c.group_id, above.c.namespace_id == bindparam("below"))
    is_of_instance = and_(table.c.project_id.is_(None), table.c.group_id.is_(None))
    return (
        select(table, above.c.depth.label("depth"))
        .select_from(table.outerjoin(above, is_above))
        .where(or_(table.c.project_id == bindparam("of_project"), above.c.depth.is_not(None), is_of_instance))
        .order_by(table.c.id)
    )


def _level(row: InheritedVariableRow) -> tuple[int, int]:
    if row.project_id is not None:
        return (2, 0)
    if row.group_id is not None:
        return (1, -(row.depth or 0))
    return (0, 0)


def most_specific(rows: Iterable[CiVariableRow], environment: str | None) -> list[CiVariableRow]:
    """Of each key the variable whose scope fits the environment best: an exact name, then the longest pattern."""
    chosen: dict[str, tuple[tuple[int, int], CiVariableRow]] = {}
    for row in rows:
        scope = row.environment_scope
        if not scope_fits(scope, environment):
            continue
        rank = (int("*" not in scope), len(scope))
        if row.key not in chosen or chosen[row.key][0] <= rank:
            chosen[row.key] = (rank, row)
    return [row for _, row in chosen.values()]


def scope_fits(scope: str, environment: str | None) -> bool:
    """`*` fits everything; other scopes only jobs with an environment of that name or pattern."""
    if scope == "*":
        return True
    if environment is None:
        return False
    return matches_wildcard(environment, scope)


def _ci_variable(services: Services, row: CiVariableRow) -> CiVariable:
    return CiVariable(
        row.key,
        unseal(services, row.sealed_value),
        public=False,
        masked=row.masked,
        file=row.variable_type == "file",
        raw=row.raw,
    )
