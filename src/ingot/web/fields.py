"""Fields of forms, from the parameters of the endpoint that the form is sent to.

A page names the parameters; their types, allowed values and explanations are the endpoint's own. `policy.cadence` is a
field of the object `policy`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import UNSET

from ingot.kit.params import Field, Params, UploadedFile
from ingot.web.filters import LEVELS, label

SMALL_WORDS = frozenset(("a", "an", "the", "of", "to", "in", "for", "is", "are", "which", "must"))
NO_ACCESS = {0: "Nobody", 60: "Administrators"}
# Kinds whose records are typed by name, with the field that holds it and what people type.
NAMES = {
    "people": ("username", "Comma-separated usernames."),
    "groups": ("full_path", "Comma-separated group paths."),
    "branches": ("name", "Comma-separated names of protected branches."),
    "holders": ("", "Comma-separated usernames or group paths."),
    "project": ("", "The project path, such as `group/project`."),
    "group": ("", "The group path, as in its URL."),
}


@dataclass(frozen=True, slots=True)
class Input:
    """One parameter in a form, as a page declares it."""

    name: str
    label: str = ""
    # `long`, `secret`, `blank` (not shown again; left empty it stays), `list`, `pairs`, `keyed`, `inputs`, `level`,
    # `color` or one of NAMES; else the type tells
    kind: str = ""
    start: object = None  # the value of an empty form
    options: tuple[tuple[str, str], ...] = ()  # values with their words, where the words are not the values
    shows: str = ""  # the record's field with its value, where that has another name
    hint: str | None = None  # where the endpoint's explanation is for programs, or says no more than the label


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
    return [_form_field(_parameter(params, entry.name), entry, values) for entry in inputs]


def form_values(params: type[Params], inputs: Sequence[Input], given: Mapping[str, object]) -> dict[str, object]:
    """What a sent form says; boxes that are not ticked are sent as false, and secrets left empty stay as they are."""
    result: dict[str, object] = {}
    for entry in inputs:
        parameter = _parameter(params, entry.name)
        said = _said(parameter, entry, given.get(entry.name))
        if said is UNSET and parameter.kind == "file" and f"remove_{entry.name}" in given:
            said = ""
        if said is UNSET:
            continue
        outer, _, inner = entry.name.partition(".")
        if inner:
            whole = result.setdefault(outer, {})
            if isinstance(whole, dict):
                whole[inner] = said
        else:
            result[outer] = said
    return _without_rivals(params, result)


def _without_rivals(params: type[Params], given: dict[str, object]) -> dict[str, object]:
    """Of parameters that exclude each other, those that say something; else the first."""
    for names in params.exclusive:
        if any(given.get(name) for name in names):
            silent = [name for name in names if name in given and not given[name]]
        else:
            silent = [name for name in names[1:] if name in given]
        given = {name: value for name, value in given.items() if name not in silent}
    return given


def _said(parameter: Field, entry: Input, value: object) -> object:
    """The value of one field as the endpoint takes it; UNSET where it says nothing."""
    kind = _kind(parameter, entry)
    if kind == "check":
        return value is not None
    if kind == "many":
        return value if isinstance(value, list) else []
    if kind == "picture":
        return value if isinstance(value, UploadedFile) and value.filename else UNSET
    if not isinstance(value, str) or (not value and _is_dropped(parameter, kind)):
        return UNSET
    text = value.replace("\r\n", "\n")
    if kind == "level":
        return [{"access_level": text}]
    if kind == "pairs":
        parts = [line.partition("=") for line in text.split("\n") if line.strip()]
        return {name.strip(): word.strip() for name, _, word in parts}
    if kind == "inputs":
        return [{"name": name, "value": value} for name, value in read_inputs(text).items()]
    if kind == "keyed":
        parts = [line.partition("=") for line in text.split("\n") if line.strip()]
        return [{"key": name.strip(), "value": word.strip()} for name, _, word in parts]
    return text


def read_inputs(text: str) -> dict[str, object]:
    """Inputs of a configuration from lines of `name=value`; numbers, truth values and lists are those of JSON."""
    parts = [line.partition("=") for line in text.splitlines() if line.strip()]
    return {name.strip(): input_value(word.strip()) for name, _, word in parts}


def input_value(word: str) -> object:
    try:
        value: object = json.loads(word)
    except (ValueError, RecursionError):
        return word
    return value if isinstance(value, bool | int | float | list) else word


def _parameter(params: type[Params], name: str) -> Field:
    outer, _, inner = name.partition(".")
    parameter = params.fields[outer]
    if not inner:
        return parameter
    if parameter.nested is None:
        raise LookupError(name)
    return parameter.nested.fields[inner]


def _is_dropped(parameter: Field, kind: str) -> bool:
    """An empty field says nothing where the endpoint has a value of its own, or asks for one."""
    if kind == "choice" and parameter.one_of is not None and "" in parameter.one_of:
        return False
    return (
        kind in ("choice", "level", "pairs", "keyed", "secret", "blank", "number", "date", "moment")
        or parameter.required
    )


def _form_field(parameter: Field, entry: Input, values: Mapping[str, object]) -> FormField:
    kind = _kind(parameter, entry)
    value = _shown_value(entry, values)
    if kind == "list" and isinstance(value, list):
        value = ", ".join(map(str, value))
    if kind == "many" and isinstance(value, list):
        value = [str(part) for part in value]
    if kind == "level" and isinstance(value, list):
        value = value[0]["access_level"] if value else None
    if kind == "pairs" and isinstance(value, dict):
        value = "\n".join(f"{name}={word}" for name, word in value.items())
    if kind == "inputs" and isinstance(value, list):
        value = "\n".join(
            f"{row['name']}={row['value'] if isinstance(row['value'], str) else json.dumps(row['value'])}"
            for row in value
        )
    if kind in NAMES and isinstance(value, list):
        value = ", ".join(str(row[NAMES[kind][0]]) for row in value)
    if kind == "keyed":  # values are not shown again; those that were refused are
        value = "\n".join(
            f"{row['key']}={row['value']}" for row in (value if isinstance(value, list) else []) if "value" in row
        )
    options = list(entry.options)
    if not options and parameter.one_of is not None:
        options = [(str(option), _word(option)) for option in parameter.one_of]
    words = entry.label or label(entry.name)
    says_all = _repeats(words, parameter.doc) or (kind == "check" and entry.label)
    hint = NAMES[kind][1] if kind in NAMES else "" if says_all else parameter.doc
    if kind in ("check", "choice", "level"):  # the form shows it chosen
        hint = hint.partition(" Default ")[0]
    hint = hint if entry.hint is None else entry.hint
    return FormField(entry.name, words, kind, hint, value, parameter.required, options)


def _repeats(words: str, doc: str) -> bool:
    """Whether an explanation only says the name of its field again, as `Template of merge commits.` does."""
    name, said = ("".join(filter(str.isalnum, text.lower())) for text in (words, doc))
    if len(doc.split()) <= 2 and (said.startswith(name) or said.endswith(name)):
        return True
    return _stems(doc) <= _stems(words)


def _stems(text: str) -> set[str]:
    """The words of a text without their ends, and without those that hold it together."""
    words = "".join(letter if letter.isalnum() else " " for letter in text.lower()).split()
    return {word[:5].removesuffix("s") for word in words if word not in SMALL_WORDS}


def _shown_value(entry: Input, values: Mapping[str, object]) -> object:
    """The value of now: what was sent before, else the field of the record, which may be one of an object."""
    for name in filter(None, (entry.name, entry.shows)):
        outer, _, inner = name.partition(".")
        if outer in values:
            value = values[outer]
            return (value.get(inner, entry.start) if isinstance(value, dict) else entry.start) if inner else value
    return entry.start


def _kind(parameter: Field, entry: Input) -> str:
    if entry.kind:
        return entry.kind
    if parameter.kind == "boolean":
        return "check"
    if parameter.kind == "file":
        return "picture"
    if parameter.kind == "list":
        return "many" if parameter.one_of is not None or entry.options else "list"
    if parameter.one_of is not None or entry.options:
        return "choice"
    return {"integer": "number", "float": "number", "date": "date", "datetime": "moment"}.get(parameter.kind, "text")


def _word(option: object) -> str:
    if isinstance(option, int):
        return NO_ACCESS.get(option) or LEVELS.get(option, str(option))
    return str(option).replace("_", " ").capitalize()
