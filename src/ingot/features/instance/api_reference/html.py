"""The description as one HTML page: a list of tags, and for each endpoint its arguments and answers."""

from collections import defaultdict
from html import escape
from typing import Any

from ingot.kit.reference import METHODS, argument_rows, own_answers, slug, type_text

Operation = tuple[str, str, dict[str, Any]]


def page(document: dict[str, Any]) -> str:
    """The whole page."""
    by_tag: dict[str, list[Operation]] = defaultdict(list)
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                by_tag[item[method]["tags"][0]].append((method.upper(), path, item[method]))
    tags = sorted(by_tag)
    links = "".join(f'<li><a href="#{slug(tag)}">{escape(tag)}</a> {len(by_tag[tag])}</li>' for tag in tags)
    sections = "".join(_section(tag, by_tag[tag], document) for tag in tags)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Ingot API</title>'
        '<link rel="stylesheet" href="/-/reference/reference.css">'
        '<script defer src="/-/reference/reference.js"></script>'
        f"</head><body><nav><h1>Ingot API</h1><p>Version {escape(document['info']['version'])}, OpenAPI at "
        '<a href="/api/v4/openapi.json">/api/v4/openapi.json</a></p>'
        '<input id="filter" type="search" placeholder="Filter" aria-label="Filter endpoints">'
        f"<ul>{links}</ul></nav><main>{sections}</main></body></html>"
    )


def _section(tag: str, operations: list[Operation], document: dict[str, Any]) -> str:
    inner = "".join(_operation(*one, document) for one in operations)
    return f'<section id="{slug(tag)}"><h2>{escape(tag)}</h2>{inner}</section>'


def _operation(method: str, path: str, operation: dict[str, Any], document: dict[str, Any]) -> str:
    tier = f"; tier {escape(operation['x-tier'])}" if "x-tier" in operation else ""
    text = "".join(f"<p>{escape(part)}</p>" for part in operation["description"].split("\n\n") if part.strip())
    return (
        f'<details id="{escape(operation["operationId"])}"><summary><b class="{method.lower()}">{method}</b> '
        f"<code>{escape(path)}</code> <span>{escape(operation['summary'])}</span></summary>{text}"
        f"<p>Who may call: <code>{escape(operation['x-ability'])}</code>{tier}</p>"
        f"{_arguments(operation)}{_answers(operation, document)}</details>"
    )


def _arguments(operation: dict[str, Any]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(row.name)}</code>{' *' if row.required else ''}</td><td>{row.place}</td>"
        f"<td>{escape(type_text(row.schema))}</td><td>{escape(row.text)}</td></tr>"
        for row in argument_rows(operation)
    )
    if not rows:
        return ""
    return f"<table><thead><tr><th>Argument</th><th>In</th><th>Type</th><th>Meaning</th></tr></thead>{rows}</table>"


def _answers(operation: dict[str, Any], document: dict[str, Any]) -> str:
    rows = "".join(
        f"<tr><td>{status}</td><td>{escape(answer['description'])}</td><td>{_fields(answer, document)}</td></tr>"
        for status, answer in own_answers(operation).items()
    )
    return f"<table><thead><tr><th>Status</th><th>Meaning</th><th>Body</th></tr></thead>{rows}</table>"


def _fields(answer: dict[str, Any], document: dict[str, Any]) -> str:
    content = answer.get("content", {})
    if not content:
        return ""
    media, entry = next(iter(content.items()))
    schema = entry.get("schema")
    if schema is None:
        return f"<code>{escape(media)}</code>"
    reference = schema.get("items", schema).get("$ref", "").rsplit("/", 1)[-1]
    if not reference or reference == "Error":
        return escape(type_text(schema))
    fields = document["components"]["schemas"].get(reference, {}).get("properties", {})
    return f"{escape(type_text(schema))}: {' '.join(f'<code>{escape(name)}</code>' for name in fields)}"
