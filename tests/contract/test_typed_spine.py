"""Parameters say what they take: a plain `Any` is rare, and says why it is there."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import ingot

SOURCES = Path(ingot.__file__).parent
MOST = 30


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


def test_few_parameters_are_plain_any() -> None:
    result = untyped()

    assert len(result) <= MOST, "\n".join(result)


def test_every_plain_any_has_its_reason() -> None:
    silent = [place for place, is_told in untyped().items() if not is_told]

    assert silent == []
