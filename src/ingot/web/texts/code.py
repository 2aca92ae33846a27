"""Highlighted code: tokens of Pygments in a few classes, line by line."""

from functools import cache, lru_cache
from html import escape

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType, is_token_subtype
from pygments.util import ClassNotFound

# The first that holds a token decides its class.
CLASSES = (
    (Comment, "c"), (Keyword, "k"), (String, "s"), (Number, "m"), (Name.Function, "f"), (Name.Class, "t"),
    (Name.Builtin, "t"), (Name.Tag, "k"), (Name.Attribute, "f"), (Name.Decorator, "f"), (Operator.Word, "k"),
    (Operator, "o"),
)  # fmt: skip


def colour_lines(text: str, name: str) -> list[str]:
    """The lines of a file as HTML; `name` is a file's, or `language:python`."""
    lexer = _lexer(name)
    if lexer is None:
        lines = [escape(line) for line in text.split("\n")]
    else:
        lines = [""]
        for kind, part in lexer.get_tokens(text):
            shade = _class_of(kind)
            first, *rest = part.split("\n")
            lines[-1] += _piece(first, shade)
            lines += [_piece(line, shade) for line in rest]
    count = text.count("\n") + (0 if text.endswith("\n") or not text else 1)
    return (lines + [""] * count)[:count]


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
