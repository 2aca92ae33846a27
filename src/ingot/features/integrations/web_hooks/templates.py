"""Bodies that a hook's owner writes: each `{{a.b}}` is replaced by that part of the payload."""

from collections.abc import Mapping

import msgspec

from ingot.kit.patterns import Match, pattern

LARGEST = 4 * 1024 * 1024
"""Characters: a short template can name a long description a hundred times."""
_PART = pattern(r"\{\{\s*(?P<path>[^{}]*?)\s*\}\}")


class TemplateFailed(Exception):
    """The template makes no JSON document of this payload."""


def render(template: str, payload: Mapping[str, object]) -> dict[str, object]:
    """The document that the template makes of the payload."""

    size = len(template)

    def part(match: Match) -> str:
        nonlocal size
        value = _at(payload, str(match["path"]))
        encoded = msgspec.json.encode(value).decode()
        size += len(encoded)
        if size > LARGEST:
            raise TemplateFailed(f"The template makes a document of more than {LARGEST} characters.")
        # Texts stand between quotation marks of the template.
        return encoded[1:-1] if isinstance(value, str) else encoded

    try:
        document = msgspec.json.decode(_PART.sub(part, template))
    except msgspec.DecodeError as error:
        raise TemplateFailed(f"The template makes no JSON document: {error}") from None
    if not isinstance(document, dict):
        raise TemplateFailed("The template makes no JSON object.")
    return document


def _at(payload: Mapping[str, object], path: str) -> object:
    value: object = payload
    for name in path.split("."):
        if isinstance(value, list):
            raise TemplateFailed("You may be trying to access an array value, which is not supported.")
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
