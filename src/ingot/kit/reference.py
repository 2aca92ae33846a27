"""The API description as Markdown pages: one per tag, generated, so that they cannot differ from the code."""

import re
from collections import defaultdict
from typing import Any

_METHODS = ("get", "head", "post", "put", "patch", "delete")


def pages(document: dict[str, Any]) -> dict[str, str]:
    """File names and contents: an index, and a page for each tag."""
    by_tag: dict[str, list[tuple[str, str, dict[str, Any]]]] = defaultdict(list)
    for path, item in document["paths"].items():
        for method in _METHODS:
            if method in item:
                by_tag[item[method]["tags"][0]].append((method.upper(), path, item[method]))
    found = {"README.md": _index(by_tag)}
    for tag, operations in by_tag.items():
        found[f"{_slug(tag)}.md"] = _page(tag, operations, document)
    return found


def _slug(tag: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", tag.lower()).strip("-")


def _index(by_tag: dict[str, list[tuple[str, str, dict[str, Any]]]]) -> str:
    lines = [
        "# API reference",
        "",
        "Generated from the endpoint declarations by `make docs`. All paths are below `/api/v4`.",
        "",
    ]
    for tag in sorted(by_tag):
        lines += [f"## [{tag}]({_slug(tag)}.md)", ""]
        lines += [f"- `{method} {path}`: {operation['summary']}" for method, path, operation in by_tag[tag]]
        lines.append("")
    return "\n".join(lines)


def _page(tag: str, operations: list[tuple[str, str, dict[str, Any]]], document: dict[str, Any]) -> str:
    lines = [f"# {tag}", ""]
    for method, path, operation in operations:
        lines += _operation(method, path, operation, document)
    return "\n".join(lines)


def _operation(method: str, path: str, operation: dict[str, Any], document: dict[str, Any]) -> list[str]:
    tier = f" Tier: {operation['x-tier']}." if "x-tier" in operation else ""
    lines = [f"## {method} {path}", "", operation["description"].strip() or operation["summary"], ""]
    lines += [f"Who may call: `{operation['x-ability']}`.{tier}", ""]
    rows = [
        (one["name"], one["in"], one["schema"], one["required"], one["description"]) for one in operation["parameters"]
    ]
    rows += _body_rows(operation)
    if rows:
        lines += ["| Parameter | In | Type | Required | Meaning |", "|---|---|---|---|---|"]
        lines += [
            f"| `{name}` | {place} | {_type(schema)} | {'yes' if required else 'no'} | {_cell(text)} |"
            for name, place, schema, required, text in rows
        ]
        lines.append("")
    lines += ["| Status | Meaning | Body |", "|---|---|---|"]
    for status, answer in operation["responses"].items():
        lines.append(f"| {status} | {answer['description']} | {_answer(answer, document)} |")
    lines.append("")
    return lines


def _body_rows(operation: dict[str, Any]) -> list[tuple[str, str, dict[str, Any], bool, str]]:
    content = operation.get("requestBody", {}).get("content", {})
    if not content:
        return []
    schema = next(iter(content.values()))["schema"]
    required = schema.get("required", [])
    return [
        (name, "body", one, name in required, one.get("description", "")) for name, one in schema["properties"].items()
    ]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_type(one) for one in schema["anyOf"]))
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    kind = schema.get("type", "any")
    return str(schema.get("format", kind)) if isinstance(kind, str) else " or ".join(kind)


def _answer(answer: dict[str, Any], document: dict[str, Any]) -> str:
    content = answer.get("content", {})
    if not content:
        return ""
    media, entry = next(iter(content.items()))
    schema = entry.get("schema")
    if schema is None:
        return f"`{media}`"
    name = _type(schema)
    inner = schema.get("items", schema)
    reference = inner.get("$ref", "").rsplit("/", 1)[-1]
    if not reference or reference == "Error":
        return name
    fields = document["components"]["schemas"].get(reference, {}).get("properties", {})
    return f"{name}: {', '.join(f'`{field}`' for field in fields)}"
