"""Variables of one pipeline, and how they are stored."""

from collections.abc import Sequence
from typing import Any

import msgspec

from ingot.features.ci.variables.layers import CiVariable
from ingot.features.ci.variables.rows import GivenVariableRow
from ingot.kit.sealing import seal, unseal
from ingot.kit.services import Services


class GivenVariable(msgspec.Struct, frozen=True, kw_only=True):
    """A variable that a caller, schedule or trigger gives to one pipeline."""

    key: str
    value: str
    variable_type: str = "env_var"
    raw: bool = False

    def as_ci(self) -> CiVariable:
        """As runners receive it."""
        return CiVariable(self.key, self.value, public=False, file=self.variable_type == "file", raw=self.raw)


def read_given(services: Services, row: GivenVariableRow) -> GivenVariable:
    """A stored variable, decrypted."""
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
