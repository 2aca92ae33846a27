"""`parallel`: copies of a job by number or by matrix."""

from __future__ import annotations

from itertools import product

import msgspec

from ingot.features.ci.config.plan import PlannedVariable
from ingot.features.ci.config.problems import Problems
from ingot.features.ci.config.shapes import as_list, as_text, is_scalar

MAX_JOBS = 200


class Copy(msgspec.Struct, frozen=True, kw_only=True):
    """One copy of a parallel job."""

    name: str
    index: int
    total: int
    variables: tuple[PlannedVariable, ...] = ()


def parse_parallel(where: str, value: object, problems: Problems) -> int | list[dict[str, str]] | None:
    """A number of copies, or the rows of the matrix in order; None when the keyword is absent or faulty."""
    if value is None:
        return None
    place = f"{where}:parallel"
    if isinstance(value, bool) or not isinstance(value, int | dict):
        problems.add(place, "should be an integer or a hash")
        return None
    if isinstance(value, int):
        if not 1 <= value <= MAX_JOBS:
            bound = "greater than or equal to 1" if value < 1 else f"less than or equal to {MAX_JOBS}"
            problems.add(place, f"config must be {bound}")
            return None
        return value
    unknown = [key for key in value if key != "matrix"]
    if unknown:
        problems.add(place, f"config contains unknown keys: {', '.join(unknown)}")
        return None
    if "matrix" not in value:
        problems.add(place, "config missing required keys: matrix")
        return None
    return _matrix(f"{place}:matrix", value["matrix"], problems)


def _matrix(place: str, value: object, problems: Problems) -> list[dict[str, str]] | None:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        problems.add(place, "config should be an array of hashes")
        return None
    rows: list[dict[str, str]] = []
    for item in value:
        columns: list[list[tuple[str, str]]] = []
        size = 1
        for key, given in item.items():
            options = as_list(given)
            if not options or not all(is_scalar(option) for option in options):
                problems.add(f"{place}:variables", "config should be a hash of key value pairs, value can be an array")
                return None
            columns.append([(key, as_text(option)) for option in options])
            size *= len(options)
            if size + len(rows) > MAX_JOBS:
                problems.add(place, f"config generates too many jobs (maximum is {MAX_JOBS})")
                return None
        if not columns:
            problems.add(f"{place}:variables", "config requires at least 1 item")
            return None
        rows += [dict(row) for row in product(*columns)]
    if not rows:
        problems.add(place, "config requires at least 1 item")
        return None
    return rows


def copies(name: str, parallel: int | list[dict[str, str]] | None) -> list[Copy] | None:
    """The copies of the job `name`, None for a job that is not parallel."""
    if parallel is None:
        return None
    if isinstance(parallel, int):
        return [
            Copy(name=f"{name} {index}/{parallel}", index=index, total=parallel) for index in range(1, parallel + 1)
        ]
    return [
        Copy(
            name=matrix_name(name, row),
            index=index,
            total=len(parallel),
            variables=tuple(PlannedVariable(key=key, value=value) for key, value in row.items()),
        )
        for index, row in enumerate(parallel, 1)
    ]


def matrix_name(name: str, row: dict[str, str]) -> str:
    return f"{name}: [{', '.join(row.values())}]"


def selects(selected: list[dict[str, str]], copy: Copy) -> bool:
    """Whether `needs:parallel:matrix` names this copy."""
    values = {variable.key: variable.value for variable in copy.variables}
    return any(row == values for row in selected)
