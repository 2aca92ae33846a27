"""Fields of forms, from the parameters of the endpoint that the form is sent to.

A page names the parameters; their types, allowed values and explanations are the endpoint's own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ingot.kit.params import Field, Params
from ingot.web.filters import LEVELS, label

NO_ACCESS = {0: "Nobody", 60: "Administrators"}


@dataclass(frozen=True, slots=True)
class Input:
    """One parameter in a form, as a page declares it."""

    name: str
    label: str = ""
    kind: str = ""  # `long`, `secret` or `list` where the parameter's type does not tell
    start: object = None  # the value of an empty form
    options: tuple[tuple[str, str], ...] = ()  # values with their words, where the words are not the values
    shows: str = ""  # the record's field with its value, where that has another name


@dataclass(frozen=True, slots=True)
class FormField:
    """One parameter as the template shows it."""

    name: str
    label: str
    kind: str
    hint: str
    value: object
    is_required: bool = False
    options: list[tuple[str, str]] = field(default_factory=list)


def form_fields(params: type[Params], inputs: Sequence[Input], values: Mapping[str, object]) -> list[FormField]:
    """The fields of a form with their values."""
    return [_form_field(params.fields[entry.name], entry, values) for entry in inputs]


def form_values(params: type[Params], inputs: Sequence[Input], given: Mapping[str, object]) -> dict[str, object]:
    """What a sent form says; boxes that are not ticked are sent as false, and secrets left empty stay as they are."""
    result: dict[str, object] = {}
    for entry in inputs:
        kind = _kind(params.fields[entry.name], entry)
        value = given.get(entry.name)
        if kind == "check":
            result[entry.name] = value is not None
        elif kind == "many":
            result[entry.name] = value if isinstance(value, list) else []
        elif isinstance(value, str) and (value or not _is_dropped(params.fields[entry.name], kind)):
            result[entry.name] = value.replace("\r\n", "\n")
    return result


def _is_dropped(parameter: Field, kind: str) -> bool:
    """An empty field says nothing where the endpoint has a value of its own, or asks for one."""
    return kind in ("choice", "secret", "number", "date", "moment") or parameter.required


def _form_field(parameter: Field, entry: Input, values: Mapping[str, object]) -> FormField:
    kind = _kind(parameter, entry)
    value = values.get(entry.name, values.get(entry.shows, entry.start))
    if kind == "list" and isinstance(value, list):
        value = ", ".join(map(str, value))
    options = list(entry.options)
    if not options and parameter.one_of is not None:
        options = [(str(option), _word(option)) for option in parameter.one_of]
    words = entry.label or label(entry.name)
    says_all = parameter.doc.rstrip(".").lower() == words.lower() or (kind == "check" and entry.label)
    hint = "" if says_all else parameter.doc
    return FormField(entry.name, words, kind, hint, value, parameter.required, options)


def _kind(parameter: Field, entry: Input) -> str:
    if entry.kind:
        return entry.kind
    if parameter.kind == "boolean":
        return "check"
    if parameter.kind == "list":
        return "many" if parameter.one_of is not None or entry.options else "list"
    if parameter.one_of is not None or entry.options:
        return "choice"
    return {"integer": "number", "float": "number", "date": "date", "datetime": "moment"}.get(parameter.kind, "text")


def _word(option: object) -> str:
    if isinstance(option, int):
        return NO_ACCESS.get(option) or LEVELS.get(option, str(option))
    return str(option).replace("_", " ").capitalize()
