"""`spec:inputs` headers and `$[[ inputs.name ]]` in the document below them."""

from __future__ import annotations

from collections.abc import Mapping as ReadMapping
from typing import Any

from ingot.features.ci.config.hiding import InputScope
from ingot.features.ci.config.loading import load_documents
from ingot.features.ci.config.problems import ConfigInvalid
from ingot.features.ci.config.regexps import is_regexp, regexp_matches
from ingot.features.ci.config.shapes import as_text, is_scalar
from ingot.features.ci.config.values import Mapping, Reference
from ingot.kit.patterns import Match, pattern

_BLOCK = pattern(r"\$\[\[([^\[\]]+)\]\]")
_LONGEST_BLOCK = 1024
_TRUNCATE = pattern(r"truncate\(\s*(\d{1,6})\s*,\s*(\d{1,6})\s*\)")
_UNSAFE = pattern(r"([^A-Za-z0-9_\-.,:+/@\n])")
_NAME = pattern(r"inputs\.([A-Za-z0-9_-]+)")
TYPES: dict[str, type | tuple[type, ...]] = {
    "string": (str, int, float),
    "number": (int, float),
    "boolean": bool,
    "array": list,
}
_KEYS = ("default", "description", "options", "regex", "type", "rules")
_MAX_TEXT = 1024 * 1024


class Example(str):
    """A value that nobody has given yet: it need not match a pattern."""

    __slots__ = ()


def load_with_inputs(text: str, given: ReadMapping[str, object], scope: InputScope) -> Mapping:
    """The configuration of a text whose optional header declares inputs, with the inputs filled in."""
    documents = load_documents(text)
    if len(documents) == 2 and isinstance(documents[0], dict) and set(documents[0]) == {"spec"}:
        header, body = documents[0]["spec"], documents[1]
    elif len(documents) == 1:
        header, body = None, documents[0]
    else:
        raise ConfigInvalid(["Invalid configuration format"])
    if not isinstance(body, dict):
        raise ConfigInvalid(["Invalid configuration format"])
    declared = header.get("inputs") if isinstance(header, dict) else None
    declared = declared if isinstance(declared, dict) else {}
    unknown = [name for name in given if name not in declared]
    if unknown:
        raise ConfigInvalid([f"unknown input arguments: {', '.join(unknown)}"])
    if header is None:
        return body
    values = {name: _value(name, rule, given) for name, rule in declared.items()}
    return {as_text(_fill(key, values, scope)): _fill(item, values, scope) for key, item in body.items()}


def _value(name: str, rule: object, given: ReadMapping[str, object]) -> Any:
    where = f"`{name}` input:"
    rule = {} if rule is None else rule
    if not isinstance(rule, dict) or any(key not in _KEYS for key in rule):
        raise ConfigInvalid([f"header:spec:inputs:{name} config contains unknown keys"])
    if name in given:
        value = given[name]
    elif "default" in rule:
        value = rule["default"]
    else:
        raise ConfigInvalid([f"{where} required value has not been provided"])
    kind = rule.get("type", "string")
    if kind not in TYPES:
        raise ConfigInvalid([f"header:spec:inputs:{name} input type unknown value: {kind}"])
    value = _coerced(value, kind)
    if not isinstance(value, TYPES[kind]) or (isinstance(value, bool) and kind != "boolean"):
        raise ConfigInvalid([f"{where} provided value is not {'an' if kind == 'array' else 'a'} {kind}"])
    options = rule.get("options")
    if isinstance(options, list) and value not in options:
        listed = ", ".join(as_text(option) for option in options)
        raise ConfigInvalid(
            [f"{where} `{as_text(value)}` cannot be used because it is not in the list of allowed options ({listed})"]
        )
    if isinstance(value, Example):
        return str(value)
    pattern = rule.get("regex")
    if isinstance(pattern, str):
        slashed = pattern if is_regexp(pattern) else f"/{pattern}/"
        if not regexp_matches(slashed, as_text(value)):
            raise ConfigInvalid([f"{where} provided value does not match required RegEx pattern"])
    return value


def _coerced(value: object, kind: str) -> Any:
    if kind == "string" and isinstance(value, bool | int | float):
        return as_text(value)
    if kind == "boolean" and value in ("true", "false"):
        return value == "true"
    if kind == "number" and isinstance(value, str):
        try:
            return float(value) if "." in value else int(value)
        except ValueError:
            return value
    return value


def _fill(value: object, inputs: ReadMapping[str, object], scope: InputScope) -> Any:
    if isinstance(value, Reference):
        return Reference(str(_fill(part, inputs, scope)) for part in value)
    if isinstance(value, dict):
        return {as_text(_fill(key, inputs, scope)): _fill(item, inputs, scope) for key, item in value.items()}
    if isinstance(value, list):
        return [_fill(item, inputs, scope) for item in value]
    if not isinstance(value, str) or "$[[" not in value:
        return value
    whole = _BLOCK.fullmatch(value.strip())
    if whole is not None and len(whole[1].strip()) <= _LONGEST_BLOCK:
        return _block(whole[1].strip(), inputs, scope)
    filled = _BLOCK.sub(lambda result: _block_in_text(result, inputs, scope), value)
    if len(filled) > _MAX_TEXT:
        raise ConfigInvalid(["The parsed YAML is too big"])
    return filled


def _block_in_text(match: Match, inputs: ReadMapping[str, object], scope: InputScope) -> str:
    body = match[1].strip()
    if len(body) > _LONGEST_BLOCK:
        return str(match[0])
    value = _block(body, inputs, scope)
    return as_text(value) if is_scalar(value) else str(value)


def _block(body: str, inputs: ReadMapping[str, object], scope: InputScope) -> Any:
    steps = [step.strip() for step in body.split("|")]
    result = _NAME.fullmatch(steps[0])
    if result is None or result[1] not in inputs:
        raise ConfigInvalid([f"unknown interpolation key: `{steps[0]}`"])
    value = inputs[result[1]]
    for step in steps[1:]:
        cut = _TRUNCATE.fullmatch(step)
        if cut is not None:
            value = as_text(value)[int(cut[1]) : int(cut[1]) + int(cut[2])]
        elif step == "expand_vars":
            value = scope.expand(as_text(value))
        elif step == "posix_escape":
            value = _UNSAFE.sub(lambda result: f"\\{result[1]}", as_text(value))
        else:
            raise ConfigInvalid(
                [f"no function matching `{step}`: check that the function name, arguments, and types are correct"]
            )
    return value
