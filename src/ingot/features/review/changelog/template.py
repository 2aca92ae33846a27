"""The templates of changelogs: `{{ value }}`, `{% if value %}`, `{% each values %}`, `{% else %}`, `{% end %}`.

A tag with `%` takes the newline after it; so does a backslash at the end of a line.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec

from ingot.features.review.changelog.errors import Ungenerated
from ingot.kit.patterns import pattern

DEFAULT = """\
{% if categories %}
{% each categories %}
### {{ title }} ({% if single_change %}1 change{% else %}{{ count }} changes{% end %})

{% each entries %}
- [{{ title }}]({{ commit.web_url }})\\
{% if author.credit %} by {{ author.reference }}{% end %}\\
{% if merge_request %} ([merge request]({{ merge_request.web_url }})){% end %}

{% end %}

{% end %}
{% else %}
No changes.
{% end %}
"""
LONGEST = 4 << 20  # characters of what a template makes
DEEPEST = 50
_TAG = pattern(
    r"\{%[ \t]*(if|each|else|end)(?:[ \t]+([A-Za-z0-9_.-]+))?[ \t]*%\}\n?|\{\{[ \t]*([A-Za-z0-9_.-]+)[ \t]*\}\}|\\\n"
)

Value: TypeAlias = "str | int | Mapping[str, Value] | Sequence[Value] | None"
Node: TypeAlias = "str | Print | Block"


class Print(msgspec.Struct, frozen=True):
    """A value."""

    path: str


class Block(msgspec.Struct):
    """A condition or a loop, with what comes where it does not hold."""

    kind: str
    path: str
    body: list[Node] = msgspec.field(default_factory=list)
    otherwise: list[Node] = msgspec.field(default_factory=list)


def parse(text: str) -> list[Node]:
    """The parts of a template."""
    root: list[Node] = []
    open_blocks: list[tuple[Block, bool]] = []
    at = 0
    for tag in _TAG.finditer(text):
        place = _place(root, open_blocks)
        place.append(text[at : tag.start()])
        at = tag.end()
        if tag[3] is not None:
            place.append(Print(tag[3]))
        elif tag[1] is not None:
            _statement(open_blocks, place, tag[1], tag[2])
    _place(root, open_blocks).append(text[at:])
    if open_blocks:
        raise Ungenerated("The template is invalid: a statement has no end")
    return root


def _place(root: list[Node], open_blocks: list[tuple[Block, bool]]) -> list[Node]:
    if not open_blocks:
        return root
    block, is_otherwise = open_blocks[-1]
    return block.otherwise if is_otherwise else block.body


def _statement(open_blocks: list[tuple[Block, bool]], place: list[Node], word: str, path: str | None) -> None:
    if word in ("if", "each"):
        if path is None or len(open_blocks) >= DEEPEST:
            raise Ungenerated(
                f"The template is invalid: {word} needs a value, and at most {DEEPEST} statements around it"
            )
        block = Block(word, path)
        place.append(block)
        open_blocks.append((block, False))
    elif not open_blocks or (word == "else" and (open_blocks[-1][0].kind != "if" or open_blocks[-1][1])):
        raise Ungenerated(f"The template is invalid: there is nothing before {word}")
    else:
        block, _ = open_blocks.pop()
        if word == "else":
            open_blocks.append((block, True))


def render(template: str, values: Value) -> str:
    """The text of a template with these values."""
    result, length = [], 0
    for piece in _pieces(parse(template), values):
        length += len(piece) + 1  # loops over nothing cost time too
        if length > LONGEST:
            raise Ungenerated(f"The text is longer than {LONGEST} characters")
        result.append(piece)
    return "".join(result)


def _pieces(nodes: Sequence[Node], scope: Value) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, str):
            yield node
        elif isinstance(node, Print):
            yield _text(_lookup(scope, node.path))
        elif node.kind == "if":
            yield from _pieces(node.body if _lookup(scope, node.path) else node.otherwise, scope)
        else:
            values = _lookup(scope, node.path)
            if isinstance(values, Sequence) and not isinstance(values, str):
                for value in values:
                    yield from _pieces(node.body, value)


def _lookup(scope: Value, path: str) -> Value:
    """A value inside others; `it` is the one of the loop itself."""
    if path == "it":
        return scope
    value = scope
    for name in path.split("."):
        if isinstance(value, Mapping):
            value = value.get(name)
        elif isinstance(value, Sequence) and not isinstance(value, str) and name.isdecimal() and len(name) < 9:
            value = value[int(name)] if int(name) < len(value) else None
        else:
            return None
    return value


def _text(value: Value) -> str:
    if value is None or isinstance(value, Mapping) or (isinstance(value, Sequence) and not isinstance(value, str)):
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
