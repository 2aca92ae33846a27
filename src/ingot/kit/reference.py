"""The API description as Markdown pages: one per tag, generated, so that they cannot differ from the code."""

import re
from collections import defaultdict
from typing import NamedTuple

from ingot.kit.openapi import COMMON_ERRORS, TEXTS
from ingot.kit.openapi_types import Body, Document, OperationFacts, Schema

EVERYWHERE = {*COMMON_ERRORS, 301, 304, 409}
METHODS = ("get", "head", "post", "put", "patch", "delete")


def pages(document: Document) -> dict[str, str]:
    """File names and contents: an index, and a page for each tag."""
    by_tag: dict[str, list[tuple[str, str, OperationFacts]]] = defaultdict(list)
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                by_tag[item[method]["tags"][0]].append((method.upper(), path, item[method]))
    result = {"README.md": _index(by_tag)}
    for tag, operations in by_tag.items():
        result[f"{slug(tag)}.md"] = _page(tag, operations, document)
    return result


def slug(tag: str) -> str:
    """The tag as it appears in file names and addresses."""
    return re.sub(r"[^a-z0-9]+", "-", tag.lower()).strip("-")


def _index(by_tag: dict[str, list[tuple[str, str, OperationFacts]]]) -> str:
    everywhere = ", ".join(f"{status} ({TEXTS[status].lower()})" for status in sorted(EVERYWHERE))
    lines = [
        "# API reference",
        "",
        "Generated from the endpoint declarations by `make docs`. All paths are below `/api/v4`.",
        "",
        f"Every endpoint may answer {everywhere}; the pages name what an endpoint answers besides.",
        "",
    ]
    for tag in sorted(by_tag):
        lines += [f"## [{tag}]({slug(tag)}.md)", ""]
        lines += [f"- `{method} {path}`: {operation['summary']}" for method, path, operation in by_tag[tag]]
        lines.append("")
    return "\n".join(lines)


def _page(tag: str, operations: list[tuple[str, str, OperationFacts]], document: Document) -> str:
    lines = [f"# {tag}", ""]
    for method, path, operation in operations:
        lines += _operation(method, path, operation, document)
    return "\n".join(lines)


def _operation(method: str, path: str, operation: OperationFacts, document: Document) -> list[str]:
    tier = f" Tier: {operation['x-tier']}." if "x-tier" in operation else ""
    lines = [f"## {method} {path}", "", operation["description"].strip() or operation["summary"], ""]
    lines += [f"Who may call: {operation['x-callers']} (`{operation['x-ability']}`).{tier}", ""]
    rows = argument_rows(operation)
    if rows:
        lines += ["| Parameter | In | Type | Required | Meaning |", "|---|---|---|---|---|"]
        lines += [
            f"| `{row.name}` | {row.place} | {type_text(row.schema)} | {_yes(row.required)} | {_cell(row.text)} |"
            for row in rows
        ]
        lines.append("")
    lines += ["| Status | Meaning | Body |", "|---|---|---|"]
    for status, answer in own_answers(operation).items():
        lines.append(f"| {status} | {answer['description']} | {_answer(answer, document)} |")
    lines.append("")
    return lines


def own_answers(operation: OperationFacts) -> dict[str, Body]:
    """The answers that are not the same everywhere."""
    return {status: answer for status, answer in operation["responses"].items() if int(status) not in EVERYWHERE}


class Row(NamedTuple):
    """One argument of an operation."""

    name: str
    place: str
    schema: Schema
    required: bool
    text: str


def argument_rows(operation: OperationFacts) -> list[Row]:
    """Arguments of path and query, then those of the body."""
    rows = [
        Row(one["name"], one["in"], one["schema"], one["required"], one["description"])
        for one in operation["parameters"]
    ]
    content = operation.get("requestBody", {}).get("content", {})
    if content:
        schema = next(iter(content.values()))["schema"]
        required = schema.get("required", [])
        rows += [
            Row(name, "body", one, name in required, one.get("description", ""))
            for name, one in schema["properties"].items()
        ]
    return rows


def _yes(value: object) -> str:
    return "yes" if value else "no"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def type_text(schema: Schema) -> str:
    """A schema in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(type_text(one) for one in schema["anyOf"]))
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {type_text(schema.get('items', {}))}"
    kind = schema.get("type", "any")
    return str(schema.get("format", kind)) if isinstance(kind, str) else " or ".join(kind)


def _answer(answer: Body, document: Document) -> str:
    content = answer.get("content", {})
    if not content:
        return ""
    media, entry = next(iter(content.items()))
    schema = entry.get("schema")
    if schema is None:
        return f"`{media}`"
    name = type_text(schema)
    inner = schema.get("items", schema)
    reference = inner.get("$ref", "").rsplit("/", 1)[-1]
    if not reference or reference == "Error":
        return name
    fields = document["components"]["schemas"].get(reference, {}).get("properties", {})
    return f"{name}: {', '.join(f'`{field}`' for field in fields)}"
