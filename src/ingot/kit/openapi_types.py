"""The parts of an API description (OpenAPI 3.1) that are read again, as typed dictionaries."""

from typing import NotRequired, TypedDict

Schema = TypedDict(
    "Schema",
    {
        "$ref": str,
        "type": str | list[str],
        "format": str,
        "description": str,
        "enum": list[str | int],
        "items": "Schema",
        "properties": dict[str, "Schema"],
        "required": list[str],
        "anyOf": list["Schema"],
        "oneOf": list["Schema"],
    },
    total=False,
)


class Media(TypedDict, total=False):
    schema: Schema


Argument = TypedDict("Argument", {"name": str, "in": str, "schema": Schema, "required": bool, "description": str})


class Body(TypedDict, total=False):
    """What is sent or answered, by media type."""

    description: str
    content: dict[str, Media]


OperationFacts = TypedDict(
    "OperationFacts",
    {
        "operationId": str,
        "tags": list[str],
        "summary": str,
        "description": str,
        "parameters": list[Argument],
        "requestBody": NotRequired[Body],
        "responses": dict[str, Body],
        "x-ability": str,
        "x-callers": str,
        "x-tier": NotRequired[str],
    },
)


class Components(TypedDict):
    """What is described once and referred to."""

    schemas: dict[str, Schema]


class Document(TypedDict):
    """The whole description."""

    paths: dict[str, dict[str, OperationFacts]]
    components: Components
