"""`variables`: names to scalars, or to a value with description, options and `expand`."""

from __future__ import annotations

from ingot.features.ci.config.plan import PlannedVariable
from ingot.features.ci.config.problems import Problems
from ingot.features.ci.config.shapes import as_text, is_scalar

_LONGEST_NAME = 255


def parse_variables(
    where: str, value: object, problems: Problems, *, allowed: tuple[str, ...] = ("value", "expand")
) -> tuple[PlannedVariable, ...]:
    """The variables in the order written. `where` is the owner, for instance `jobs:build`."""
    if value is None:
        return ()
    if not isinstance(value, dict):
        problems.add(f"{where}:variables", "config should be a hash")
        return ()
    return tuple(
        variable for key, item in value.items() if (variable := _parse(where, key, item, problems, allowed)) is not None
    )


def _parse(where: str, key: str, item: object, problems: Problems, allowed: tuple[str, ...]) -> PlannedVariable | None:
    place = f"{where}:variables:{key}"
    if len(key) > _LONGEST_NAME or key.split() != [key]:
        problems.add(f"{where}:variables", f"config invalid key: {key}")
        return None
    if item is None or is_scalar(item):
        return PlannedVariable(key=key, value=as_text(item))
    if not isinstance(item, dict):
        problems.add(place, "config variable definition must be either a string or a hash")
        return None
    unknown = [name for name in item if name not in allowed]
    if unknown:
        problems.add(place, f"config uses invalid data keys: {', '.join(unknown)}")
        return None
    expand, value, options = item.get("expand"), item.get("value"), item.get("options")
    if expand is not None and not isinstance(expand, bool):
        problems.add(place, "config expand should be a boolean value")
    if value is not None and not is_scalar(value):
        problems.add(place, "config value must be an alphanumeric string")
        return None
    if options is not None:
        if not isinstance(options, list) or not all(is_scalar(option) for option in options):
            problems.add(place, "config options should be an array of strings")
            return None
        if value is None or value not in options:
            problems.add(place, "config value must be present in options")
    description = item.get("description")
    return PlannedVariable(
        key=key,
        value=as_text(value),
        raw=expand is False,
        description=None if description is None else as_text(description),
        options=tuple(as_text(option) for option in options or ()),
    )


def merge_variables(*layers: tuple[PlannedVariable, ...]) -> tuple[PlannedVariable, ...]:
    """Later layers win; the place of the first mention is kept."""
    merged: dict[str, PlannedVariable] = {}
    for layer in layers:
        merged.update({variable.key: variable for variable in layer})
    return tuple(merged.values())
