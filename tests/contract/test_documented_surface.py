"""Nothing that the interface promises is missing from the description."""

import re
from typing import Any

import pytest

from ingot.kit.openapi import describe
from tests.contract.documented import ENDPOINTS, FIELDS, PARAMETERS
from tests.support.walking import ENDPOINTS as DECLARED

DOCUMENT = describe(DECLARED, "test")
SHAPES = {re.sub(r"\{\w+\}", "{}", path): item for path, item in DOCUMENT["paths"].items()}


def operation(name: str) -> dict[str, Any]:
    method, path = name.split(" ")
    item = SHAPES.get(re.sub(r"\{\w+\}", "{}", path), {})
    assert method.lower() in item, f"{name} is not there"
    result: dict[str, Any] = item[method.lower()]
    return result


def parameters(described: dict[str, Any]) -> set[str]:
    names = {one["name"].removesuffix("[]") for one in described["parameters"]}
    for entry in described.get("requestBody", {}).get("content", {}).values():
        for name, schema in entry["schema"]["properties"].items():
            names.add(name)
            names |= {f"{name}[{inner}]" for inner in _properties(schema)}
    return names


def fields(described: dict[str, Any]) -> set[str]:
    answer = next(answer for status, answer in described["responses"].items() if status.startswith("2"))
    return set(_properties(answer["content"]["application/json"]["schema"]))


def _properties(schema: dict[str, Any]) -> set[str]:
    if "$ref" in schema:
        return _properties(DOCUMENT["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]])
    answer = set(schema.get("properties", {}))
    for inner in (*schema.get("anyOf", ()), schema.get("items")):
        if isinstance(inner, dict):
            answer |= _properties(inner)
    return answer


@pytest.mark.parametrize("name", PARAMETERS)
def test_every_promised_parameter_is_declared(name: str) -> None:
    assert set(PARAMETERS[name].split()) - parameters(operation(name)) == set()


@pytest.mark.parametrize("name", FIELDS)
def test_every_promised_field_is_described(name: str) -> None:
    assert set(FIELDS[name].split()) - fields(operation(name)) == set()


@pytest.mark.parametrize("name", ENDPOINTS)
def test_every_promised_endpoint_is_there(name: str) -> None:
    operation(name)
