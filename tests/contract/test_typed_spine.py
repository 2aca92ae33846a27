"""Parameters say what they take: a plain `Any` is rare, and says why it is there.

`Any` inside another type (`dict[str, Any]`, `Sequence[Any]`, `Callable[..., Any]`) is counted too: values of JSON, of
archives and of columns are passed in such mappings. Their number may only fall.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import ingot

SOURCES = Path(ingot.__file__).parent
MOST = 30
MOST_NESTED = 115
# The type of a statement or column is the library's own business: it does not say what a function takes.
STATEMENTS = {
    "BinaryExpression", "BindParameter", "Column", "ColumnElement", "CompoundSelect", "Select", "TypeEngine",
}  # fmt: skip


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.arg]:
    given = function.args
    yield from (*given.posonlyargs, *given.args, *given.kwonlyargs)
    yield from (one for one in (given.vararg, given.kwarg) if one is not None)


def has_reason(line: str) -> bool:
    """A comment for people, not for a tool."""
    comment = line.partition("# ")[2]
    return bool(comment) and not comment.startswith(("noqa", "type:", "fmt:"))


@cache
def untyped() -> dict[str, bool]:
    """Every parameter that is a plain `Any`, and whether its line or the line above says why."""
    result: dict[str, bool] = {}
    for path in sorted(SOURCES.rglob("*.py")):
        text = path.read_text()
        lines = ["", *text.splitlines()]
        for function in ast.walk(ast.parse(text)):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for one in parameters(function):
                if isinstance(one.annotation, ast.Name) and one.annotation.id == "Any":
                    place = f"{path.relative_to(SOURCES)}:{one.lineno} {function.name}({one.arg})"
                    result[place] = any(has_reason(lines[at]) for at in (one.lineno, one.lineno - 1))
    return result


def is_loose(annotation: ast.expr) -> bool:
    """`Any` occurs inside the type, other than in the type of a statement or column."""
    if isinstance(annotation, ast.Subscript):
        if isinstance(annotation.value, ast.Name) and annotation.value.id in STATEMENTS:
            return False
        return any(isinstance(part, ast.Name) and part.id == "Any" for part in ast.walk(annotation.slice))
    return any(is_loose(part) for part in ast.iter_child_nodes(annotation) if isinstance(part, ast.expr))


def loose_parameters() -> list[str]:
    """Every parameter with `Any` inside its type."""
    return [
        f"{path.relative_to(SOURCES)}:{one.lineno} {function.name}({one.arg})"
        for path in sorted(SOURCES.rglob("*.py"))
        for function in ast.walk(ast.parse(path.read_text()))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for one in parameters(function)
        if one.annotation is not None and is_loose(one.annotation)
    ]


def test_parameters_with_any_inside_their_type_do_not_become_more() -> None:
    result = loose_parameters()

    assert len(result) <= MOST_NESTED, "\n".join(result)


def test_few_parameters_are_plain_any() -> None:
    result = untyped()

    assert len(result) <= MOST, "\n".join(result)


def test_every_plain_any_has_its_reason() -> None:
    silent = [place for place, has_why in untyped().items() if not has_why]

    assert silent == []
