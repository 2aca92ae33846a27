"""Inputs that a file declares, for those who are asked for their values before it is used."""

from __future__ import annotations

import json

import msgspec

from ingot.features.ci.config.inputs import TYPES, Example
from ingot.features.ci.config.loading import load_documents
from ingot.features.ci.config.problems import ConfigInvalid
from ingot.features.ci.config.shapes import as_text, is_scalar

_EXAMPLES: dict[str, object] = {"string": Example(), "number": 0, "boolean": False, "array": []}


class OfferedInput(msgspec.Struct, frozen=True, kw_only=True):
    """An input of `spec:inputs`."""

    name: str
    kind: str
    description: str
    default: object  # None where a value has to be given
    options: tuple[str, ...] = ()

    @property
    def written(self) -> str:
        """The default as somebody would write it into a field, empty where there is none."""
        return json.dumps(self.default, ensure_ascii=False) if isinstance(self.default, list) else as_text(self.default)

    @property
    def example(self) -> object:
        """A value that fits, where there is one."""
        if self.default is not None:
            return self.default
        return Example(self.options[0]) if self.options else _EXAMPLES[self.kind]


def offered_inputs(text: str) -> tuple[OfferedInput, ...]:
    """The inputs of a file, in their order; none of one that cannot be read, which says so when it is used."""
    try:
        documents = load_documents(text)
    except ConfigInvalid:
        return ()
    header = documents[0].get("spec") if len(documents) == 2 and isinstance(documents[0], dict) else None
    declared = header.get("inputs") if isinstance(header, dict) else None
    if not isinstance(declared, dict):
        return ()
    return tuple(_offered(as_text(name), rule if isinstance(rule, dict) else {}) for name, rule in declared.items())


def _offered(name: str, rule: dict[str, object]) -> OfferedInput:
    kind, options, description = rule.get("type"), rule.get("options"), rule.get("description")
    return OfferedInput(
        name=name,
        kind=kind if isinstance(kind, str) and kind in TYPES else "string",
        description=as_text(description) if is_scalar(description) else "",
        default=rule.get("default"),
        options=tuple(as_text(one) for one in options if is_scalar(one)) if isinstance(options, list) else (),
    )
