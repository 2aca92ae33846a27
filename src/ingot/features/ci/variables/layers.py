"""Variables as runners receive them, and how the layers of variables lie on each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from ingot.features.ci.config import PlannedVariable
from ingot.kit.patterns import ALPHANUMERIC, consists_of

_MASKABLE = f"{ALPHANUMERIC}_+=/@:.~-"


class CiVariable(msgspec.Struct, frozen=True):
    """One variable of a job; `public` ones may be shown, `masked` ones are hidden in logs."""

    key: str
    value: str
    public: bool = True
    masked: bool = False
    file: bool = False
    raw: bool = False


def layered(*layers: Iterable[CiVariable]) -> list[CiVariable]:
    """All variables, each name once, at the place and with the value of its last mention.

    spec: low to high - predefined, file, dotenv of dependencies, instance, group, project, trigger and manual.
    """
    merged: dict[str, CiVariable] = {}
    for layer in layers:
        for variable in layer:
            merged.pop(variable.key, None)
            merged[variable.key] = variable
    return list(merged.values())


def from_plan(variables: Iterable[PlannedVariable]) -> list[CiVariable]:
    return [CiVariable(variable.key, variable.value, raw=variable.raw) for variable in variables]


def from_dotenv(variables: Mapping[str, str]) -> list[CiVariable]:
    return [CiVariable(key, value, public=False) for key, value in variables.items()]


def as_scope(variables: Iterable[CiVariable]) -> dict[str, str]:
    """Names to values, for conditions and expansion; file variables have no usable value there."""
    return {variable.key: variable.value for variable in variables if not variable.file}


def is_maskable(value: str) -> bool:
    """Whether a runner can hide the value in a log: one line of at least eight plain characters."""
    return len(value) >= 8 and consists_of(value, _MASKABLE)
