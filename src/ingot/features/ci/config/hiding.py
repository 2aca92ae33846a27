"""Errors do not quote values of variables from outside the file: their readers may not read variables.

Errors name everything as it is written. Only `expand_vars` writes values into the configuration itself; a faulty
configuration that holds such values is compiled once more without them, and the errors of that run are reported.
"""

from __future__ import annotations

from collections.abc import Callable

from ingot.features.ci.config.event import PipelineEvent
from ingot.features.ci.config.expansion import expand, names_in
from ingot.features.ci.config.problems import ConfigInvalid, PipelineNotCreated

_UNTOLD = "The configuration is not valid with the values that its variables have"


class InputScope:
    """The variables of `expand_vars`; records whether a value from outside the file was used."""

    def __init__(self, event: PipelineEvent, *, leaves_outside: bool = False) -> None:
        self._event = event
        self._leaves_outside = leaves_outside
        self.gave_values = False

    def expand(self, text: str) -> str:
        """The text with its variables replaced; masked ones are refused, because job names would show them."""
        outside = {name for name in names_in(text) if name in self._event.variables}
        if outside & self._event.masked:
            raise ConfigInvalid(["variable expansion error: masked variables cannot be expanded"])
        if self._leaves_outside:
            known = {name: value for name, value in self._event.predefined.items() if name not in outside}
            return expand(text, known, keep_unknown=True)
        self.gave_values = self.gave_values or bool(outside)
        return expand(text, {**self._event.predefined, **self._event.variables}, keep_unknown=True)

    def as_written(self) -> InputScope:
        """The same without values from outside: their names stay in the text."""
        return InputScope(self._event, leaves_outside=True)


def showable(error: ConfigInvalid, scope: InputScope, again: Callable[[InputScope], object]) -> ConfigInvalid:
    """The error as it may be shown; `again` repeats what raised it."""
    if not scope.gave_values:
        return error
    try:
        again(scope.as_written())
    except ConfigInvalid as plain:
        return plain
    except PipelineNotCreated:
        pass
    return ConfigInvalid([_UNTOLD])
