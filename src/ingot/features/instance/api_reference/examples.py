"""Example calls and answers, made from the schemas: the same names have the same values everywhere."""

import json
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from ingot.kit.openapi_types import Schema
from ingot.kit.reference import Row

DEEPEST = 3
MOMENT = "2026-01-31T12:00:00.000Z"
SHA = "2695effb5807a22ff3d138d593fd856244e155e7"
STRINGS = {
    "id": "smithy/anvil", "name": "Anvil", "path": "anvil", "title": "The die cracks", "description": "Since Monday.",
    "username": "ada", "email": "ada@example.com", "ref": "main", "state": "opened", "visibility": "private",
    "path_with_namespace": "smithy/anvil", "full_path": "smithy", "name_with_namespace": "Smithy / Anvil",
    "web_url": "https://git.example.com/smithy/anvil", "sha": SHA, "body": "Fixed.", "color": "#6699cc", "key": "KEY",
    "value": "value", "file_path": "README.md", "tag_name": "v1.0", "created_at": MOMENT, "content": "Hello",
    "commit_message": "Say hello", "branch": "main", "target_branch": "main", "source_branch": "die",
}  # fmt: skip
ENDINGS = {
    "_at": MOMENT, "_url": "https://git.example.com/smithy/anvil", "_sha": SHA, "_branch": "main", "_path": "anvil",
    "_email": "ada@example.com", "_date": "2026-01-31", "_name": "Anvil", "_id": "1",
}  # fmt: skip
FORMATS = {"date-time": MOMENT, "date": "2026-01-31", "binary": "example.txt"}


def example_of(schema: Schema, components: Mapping[str, Schema], name: str = "", depth: int = 0) -> object:
    """A value that fits a schema."""
    if "$ref" in schema:
        schema = components.get(str(schema["$ref"]).rsplit("/", 1)[-1], {})
    if "anyOf" in schema or "oneOf" in schema:
        options = [one for one in schema.get("anyOf", schema.get("oneOf", [])) if one.get("type") != "null"]
        return example_of(options[0], components, name, depth) if options else None
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object":
        properties = schema.get("properties", {}) if depth < DEEPEST else {}
        return {key: example_of(one, components, key, depth + 1) for key, one in properties.items()}
    if kind == "array":
        return [example_of(schema["items"], components, name, depth + 1)] if "items" in schema else []
    simple = {"integer": 1, "number": 1.5, "boolean": True, "null": None}
    return simple[kind] if isinstance(kind, str) and kind in simple else _string(schema, name)


def _string(schema: Schema, name: str) -> str:
    if schema.get("format") in FORMATS:
        return FORMATS[schema["format"]]
    if name in STRINGS:
        return STRINGS[name]
    return next((value for ending, value in ENDINGS.items() if name.endswith(ending)), "text")


def curl_of(url: str, method: str, path: str, required: Sequence[Row]) -> str:
    """A `curl` command with the required arguments."""
    query, files = [], []
    body: dict[str, object] = {}
    for row in required:
        value = example_of(row.schema, {}, row.name)
        if row.place == "path":
            path = path.replace(f"{{{row.name}}}", quote(str(value), safe=""))
        elif row.place == "query":
            query.append(f"{row.name}={quote(str(value), safe='')}")
        elif row.schema.get("format") == "binary":
            files.append(f'--form "{row.name}=@{value}"')
        else:
            body[row.name] = value
    return curl_command(url, method, f"{path}{'?' if query else ''}{'&'.join(query)}", body, files)


def curl_command(
    url: str, method: str, path: str, body: Mapping[str, object] | None = None, more: Sequence[str] = ()
) -> str:
    """A `curl` command that sends this call."""
    words = ["curl"] if method == "GET" else [f"curl --request {method}"]
    words.append('--header "PRIVATE-TOKEN: $TOKEN"')
    words += more
    if body and (any(isinstance(value, dict | list) for value in body.values()) or _has_signs(body)):
        text = json.dumps(body, ensure_ascii=False).replace("'", "'\\''")
        words.append(f"--json '{text}'")
    else:
        words += [f'--data-urlencode "{name}={_word(value)}"' for name, value in (body or {}).items()]
    words.append(f'"{url}/api/v4{path}"')
    return " \\\n  ".join(words)


def _word(value: object) -> str:
    return json.dumps(value) if isinstance(value, bool) else "" if value is None else str(value)


def _has_signs(body: Mapping[str, object]) -> bool:
    """Some text means something else to a shell inside double quotes."""
    return any(sign in str(value) for value in body.values() for sign in '"$`\\!\n')
