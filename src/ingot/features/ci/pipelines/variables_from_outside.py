"""Variables set outside the file: of the instance, the groups above, the project; and those given to pipelines."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, and_, or_, select

from ingot.access.tables import namespace_ancestors
from ingot.features.ci.pipelines.tables import ci_variables, pipeline_variables
from ingot.features.ci.pipelines.variable_sources import CiVariable
from ingot.kit.sealing import seal, unseal
from ingot.kit.services import Services
from ingot.kit.wildcards import matches_wildcard


class GivenVariable(msgspec.Struct, frozen=True, kw_only=True):
    """A variable that a caller, schedule or trigger gives to one pipeline."""

    key: str
    value: str
    variable_type: str = "env_var"
    raw: bool = False

    def as_ci(self) -> CiVariable:
        """As runners receive it."""
        return CiVariable(self.key, self.value, public=False, file=self.variable_type == "file", raw=self.raw)


def outside_variables(
    services: Services, conn: Connection, project: Any, *, is_protected: bool, environment: str | None = None
) -> list[CiVariable]:
    """Instance, then groups from the top down, then the project: the later wins where a key occurs twice."""
    table, above = ci_variables, namespace_ancestors
    depth = above.c.depth
    rows = conn.execute(
        select(table, depth.label("depth"))
        .select_from(
            table.outerjoin(
                above, and_(above.c.ancestor_id == table.c.group_id, above.c.namespace_id == project.namespace_id)
            )
        )
        .where(
            or_(
                table.c.project_id == project.id,
                and_(table.c.group_id.is_not(None), depth.is_not(None)),
                and_(table.c.project_id.is_(None), table.c.group_id.is_(None)),
            )
        )
        .order_by(table.c.id)
    ).all()
    allowed = [row for row in rows if is_protected or not row.protected]
    levels = sorted({_level(row) for row in allowed})
    result: list[CiVariable] = []
    for level in levels:
        best = most_specific([row for row in allowed if _level(row) == level], environment)
        result += [_ci_variable(services, row) for row in best]
    return result


def _level(row: Any) -> tuple[int, int]:
    if row.project_id is not None:
        return (2, 0)
    if row.group_id is not None:
        return (1, -row.depth)
    return (0, 0)


def most_specific(rows: Iterable[Any], environment: str | None) -> list[Any]:
    """Of each key the variable whose scope fits the environment best: an exact name, then the longest pattern."""
    chosen: dict[str, tuple[tuple[int, int], Any]] = {}
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


def _ci_variable(services: Services, row: Any) -> CiVariable:
    return CiVariable(
        row.key,
        unseal(services, row.sealed_value),
        public=False,
        masked=row.masked,
        file=row.variable_type == "file",
        raw=row.raw,
    )


def given_to_pipeline(services: Services, conn: Connection, pipeline_id: int) -> list[GivenVariable]:
    """The variables that a pipeline was created with."""
    rows = conn.execute(
        select(pipeline_variables)
        .where(pipeline_variables.c.pipeline_id == pipeline_id)
        .order_by(pipeline_variables.c.id)
    )
    return [read_given(services, row) for row in rows]


def read_given(services: Services, row: Any) -> GivenVariable:
    """From a row with key, sealed_value, variable_type and raw."""
    return GivenVariable(
        key=row.key, value=unseal(services, row.sealed_value), variable_type=row.variable_type, raw=row.raw
    )


def sealed_rows(services: Services, given: Sequence[GivenVariable], **owner: int) -> list[dict[str, Any]]:
    """Rows to be stored; of equal keys the last counts."""
    unique = {variable.key: variable for variable in given}
    return [
        {
            **owner,
            "key": variable.key,
            "sealed_value": seal(services, variable.value),
            "variable_type": variable.variable_type,
            "raw": variable.raw,
        }
        for variable in unique.values()
    ]
