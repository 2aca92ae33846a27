"""Highlighted code: tokens of Pygments in a few classes, line by line."""

from functools import cache, lru_cache
from html import escape
from itertools import groupby

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String, _TokenType, is_token_subtype
from pygments.util import ClassNotFound

# The first that holds a token decides its class.
CLASSES = (
    (Comment, "c"), (Keyword, "k"), (String, "s"), (Number, "m"), (Name.Function, "f"), (Name.Class, "t"),
    (Name.Builtin, "t"), (Name.Tag, "k"), (Name.Attribute, "f"), (Name.Decorator, "f"), (Operator.Word, "k"),
    (Operator, "o"), (Generic.Inserted, "gi"), (Generic.Deleted, "gd"), (Generic.Subheading, "f"),
    (Generic.Heading, "f"),
)  # fmt: skip


def colour_lines(text: str, name: str) -> list[str]:
    """The lines of a file as HTML; `name` is a file's, or `language:python`."""
    lexer = _lexer(name)
    # Pygments takes a lone carriage return for the end of a line, and lines would no longer be where they belong.
    if lexer is None or "\r" in text.replace("\r\n", ""):
        lines = [escape(line) for line in text.split("\n")]
    else:
        # Pygments leaves this mark out, and what is marked in the line by place would no longer be there.
        lines = ["\ufeff" if text.startswith("\ufeff") else ""]
        # Neighbours of one colour are one element.
        for shade, tokens in groupby(lexer.get_tokens(text), lambda token: _class_of(token[0])):
            first, *rest = "".join(part for _, part in tokens).split("\n")
            lines[-1] += _piece(first, shade)
            lines += [_piece(line, shade) for line in rest]
    count = text.count("\n") + (0 if text.endswith("\n") or not text else 1)
    return (lines + [""] * count)[:count]


def colour_diff(text: str, name: str) -> list[str]:
    """The lines of a file's diff as HTML, without their signs. Both sides are read hunk by hunk: what one of them
    leaves open, such as a string, ends with it."""
    lines = text.split("\n")
    result = [""] * len(lines)
    for side in ("-", "+"):
        hunk: list[int] = []
        for number, line in enumerate([*lines, "@@"]):
            if line.startswith((side, " ")):
                hunk.append(number)
            elif line.startswith("@@") and hunk:
                coloured = colour_lines("".join(f"{lines[place][1:]}\n" for place in hunk), name)
                for place, html in zip(hunk, coloured, strict=True):
                    result[place] = html
                hunk = []
    return result


def _piece(text: str, shade: str) -> str:
    escaped = escape(text, quote=False)
    return f'<span class="{shade}">{escaped}</span>' if shade and text.strip() else escaped


@cache
def _class_of(kind: _TokenType) -> str:
    return next((shade for parent, shade in CLASSES if is_token_subtype(kind, parent)), "")


@lru_cache(256)  # names come from visitors
def _lexer(name: str) -> Lexer | None:
    try:
        if name.startswith("language:"):
            return get_lexer_by_name(name.removeprefix("language:"), stripnl=False, ensurenl=False)
        return get_lexer_for_filename(name, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
