"""The API description (OpenAPI 3.1), generated from the declarations; nothing about an endpoint is written twice."""

import re
from collections.abc import Mapping
from typing import Any, cast

import msgspec

from ingot.kit.endpoint import Binary, Endpoint, OneOf
from ingot.kit.openapi_types import Document
from ingot.kit.params import Field, Params

ERROR_REF = {"$ref": "#/components/schemas/Error"}
ERROR_SCHEMA = {
    "title": "Error",
    "description": "`message` is a text, a list of texts, or texts by attribute; parameter errors use `error`.",
    "type": "object",
    "properties": {
        "message": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}, {"type": "object"}]},
        "error": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        "error_description": {"type": "string"},
        "scope": {"type": "string"},
        "reason": {"type": "string"},
        "detail": {"type": "string"},
        "status": {"type": "string"},
    },
    "anyOf": [{"required": ["message"]}, {"required": ["error"]}],
}
COMMON_ERRORS = (400, 401, 403, 404, 405, 406, 413, 415, 429, 503, 507)
TEXTS = {
    200: "Success", 201: "Created", 202: "Accepted", 204: "Done, no body", 206: "Part of the content", 301: "Moved",
    302: "Found elsewhere", 304: "Not modified", 400: "Bad request", 401: "Not authenticated", 403: "Not allowed",
    404: "Not found", 405: "Not allowed here", 406: "Not acceptable", 408: "Timed out", 409: "Conflict",
    410: "Gone", 412: "Precondition failed", 413: "Too large", 415: "Unknown content type",
    416: "Range not satisfiable", 422: "Cannot be processed", 429: "Too many requests",
    503: "Unavailable, try again", 507: "Storage is full",
}  # fmt: skip
_TYPES: dict[str, dict[str, Any]] = {
    "integer": {"type": "integer"},
    "float": {"type": "number"},
    "string": {"type": "string"},
    "boolean": {"type": "boolean"},
    "datetime": {"type": "string", "format": "date-time"},
    "date": {"type": "string", "format": "date"},
    "hash": {"type": "object"},
    "file": {"type": "string", "format": "binary"},
    "any": {},
}


def describe(endpoints: list[Endpoint], version: str, server: str = "/api/v4") -> Document:
    """The whole document."""
    shown = [endpoint for endpoint in endpoints if not endpoint.hidden]
    types = [kind for endpoint in shown for kind in _answer_types(endpoint)]
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    by_type = {id_of(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    public = public_paths(shown)
    for endpoint in shown:
        path = public[endpoint.path]
        paths.setdefault(path, {})[endpoint.method.lower()] = _operation(endpoint, path, by_type)
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "Ingot API",
            "version": version,
            "description": "Code hosting and CI, GitLab API v4 on the wire.",
        },
        "servers": [{"url": server}],
        "security": [{"token": []}, {"bearer": []}, {}],
        "paths": paths,
        "components": {
            "schemas": {**components, "Error": ERROR_SCHEMA},
            "securitySchemes": {
                "token": {"type": "apiKey", "in": "header", "name": "PRIVATE-TOKEN"},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
        },
    }
    return cast("Document", document)


def public_paths(endpoints: list[Endpoint]) -> dict[str, str]:
    """Templates and the paths that the document shows for them; parameter names make no difference."""
    shapes: dict[str, str] = {}
    result: dict[str, str] = {}
    for endpoint in endpoints:
        plain = re.sub(r"\{(\w+)(?::int|\*)?\}", r"{\1}", endpoint.path)
        result[endpoint.path] = shapes.setdefault(re.sub(r"\{\w+\}", "{}", plain), plain)
    return result


def id_of(kind: object) -> str:
    """A key for a type, also for `list[X]` and unions."""
    return repr(kind)


def _answer_types(endpoint: Endpoint) -> list[Any]:
    result = [endpoint.returns, *endpoint.also.values()]
    kinds = [kind for entry in result for kind in (entry.kinds if isinstance(entry, OneOf) else (entry,))]
    return [kind for kind in kinds if kind is not None and not isinstance(kind, Binary)]


def _operation(endpoint: Endpoint, path: str, by_type: Mapping[str, object]) -> dict[str, Any]:
    summary = endpoint.doc.split("\n", 1)[0]
    in_body = endpoint.method in ("POST", "PUT", "PATCH")
    operation: dict[str, Any] = {
        "operationId": endpoint.name,
        "tags": [endpoint.tag],
        "summary": summary,
        "description": endpoint.doc,
        "parameters": [
            {**_path_parameter(endpoint, name), "name": shown}
            for name, shown in zip(endpoint.path_params, re.findall(r"\{(\w+)\}", path), strict=True)
        ],
        "responses": _responses(endpoint, by_type),
        "x-ability": endpoint.guard.ability,
        "x-callers": getattr(endpoint.guard, "callers", endpoint.guard.ability.replace("_", " ")),
    }
    if endpoint.tier is not None:
        operation["x-tier"] = endpoint.tier
    own = {name: field for name, field in endpoint.params.fields.items() if field.wire not in endpoint.path_params}
    if in_body and own:
        operation["requestBody"] = {"content": _bodies(endpoint.params, own)}
    elif not in_body:
        operation["parameters"] += [_query_parameter(field) for field in own.values()]
    return operation


def _path_parameter(endpoint: Endpoint, name: str) -> dict[str, Any]:
    field = endpoint.params.fields.get(name)
    number = f"{{{name}:int}}" in endpoint.path or (field is not None and field.kind == "integer")
    text = field.doc if field is not None else ("Numeric id, or the URL-encoded full path." if name == "id" else "")
    schema: dict[str, Any] = {"type": "integer"} if number else {"type": "string"}
    return {"name": name, "in": "path", "required": True, "schema": schema, "description": text}


def _query_parameter(field: Field) -> dict[str, Any]:
    is_list = field.kind == "list" and not field.comma
    return {
        "name": f"{field.wire}[]" if is_list else field.wire,
        "in": "query",
        "required": field.required,
        "description": field.doc,
        "schema": _schema(field),
        **({"style": "deepObject", "explode": True} if field.kind == "hash" else {}),
    }


def _schema(field: Field) -> dict[str, Any]:
    if field.kind == "list":
        inner = _nested(field.nested) if field.nested is not None else dict(_TYPES[field.item])
        if field.one_of is not None:
            inner["enum"] = list(field.one_of)
        result: dict[str, Any] = {"type": "array", "items": inner}
        if field.comma:
            result = {"anyOf": [result, {"type": "string"}]}
    elif field.nested is not None:
        result = _nested(field.nested)
    else:
        result = dict(_TYPES[field.kind])
        if field.one_of is not None:
            result["enum"] = list(field.one_of)
        if field.max_length is not None:
            result["maxLength"] = field.max_length
    if field.words:
        result = {"anyOf": [result, {"enum": ["None", "Any"]}]}
    if isinstance(field.default, bool | int | str) and field.kind != "list":
        result["default"] = field.default
    return result


def _nested(params: type[Params]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {field.wire: {**_schema(field), "description": field.doc} for field in params.fields.values()},
    }


def _bodies(params: type[Params], fields: dict[str, Field]) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {field.wire: {**_schema(field), "description": field.doc} for field in fields.values()},
        "required": [field.wire for field in fields.values() if field.required],
    }
    if not schema["required"]:
        del schema["required"]
    files = [field for field in params.fields.values() if field.kind == "file"]
    kinds = ["application/json", "application/x-www-form-urlencoded"]
    if files:
        kinds = ["multipart/form-data"] if any(field.required for field in files) else [*kinds, "multipart/form-data"]
    return {kind: {"schema": schema} for kind in kinds}


def _responses(endpoint: Endpoint, by_type: Mapping[str, object]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for status, kind in {endpoint.status: endpoint.returns, **endpoint.also}.items():
        entry: dict[str, Any] = {"description": TEXTS.get(status, "Success")}
        if isinstance(kind, Binary):
            entry["content"] = {kind.media_type: {}}
        elif isinstance(kind, OneOf):
            forms = [by_type[id_of(form)] for form in kind.kinds]
            entry["content"] = {"application/json": {"schema": {"anyOf": forms}}}
        elif kind is not None and status != 204:
            entry["content"] = {"application/json": {"schema": by_type[id_of(kind)]}}
        result[str(status)] = entry
    errors = [*COMMON_ERRORS, *endpoint.errors]
    if endpoint.method == "GET":
        errors += [301, 304]
    else:
        errors.append(409)  # two concurrent writers
    if endpoint.method == "DELETE":
        errors.append(412)
    for status in errors:
        body = {} if status in (301, 302, 304) else {"content": {"application/json": {"schema": ERROR_REF}}}
        result.setdefault(str(status), {"description": TEXTS.get(status, "Error"), **body})
    return dict(sorted(result.items()))
