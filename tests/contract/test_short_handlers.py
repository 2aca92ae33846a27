"""Handlers stay short: they read the parameters, call a query or a command, and answer."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "ingot"
MOST = 20
METHODS = ("get", "post", "put", "patch", "delete", "head")
DECLARED = re.compile(rf"^ *@\w+\.({'|'.join(METHODS)})\(", re.MULTILINE)  # without it there is nothing to parse


def _handlers(source: str) -> Iterator[tuple[int, str, int]]:
    """Line, name and number of lines, without the docstring, of every function that a route or page declares."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and any(map(_declares, node.decorator_list)):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            yield node.lineno, node.name, (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def _declares(decorator: ast.expr) -> bool:
    """`@routes.get(...)`, whatever the declarations are called."""
    function = decorator.func if isinstance(decorator, ast.Call) else None
    return isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.attr in METHODS


def test_handlers_are_short() -> None:
    number, long = 0, []
    for path in SOURCE.rglob("*.py"):
        source = path.read_text()
        for line, name, lines in _handlers(source) if DECLARED.search(source) else ():
            number += 1
            if lines > MOST:
                long.append(f"{path.relative_to(ROOT)}:{line} {name}: {lines} lines")

    assert number > 950
    assert long == []


@pytest.mark.parametrize("declaration", ['@routes.get("/x", guard=READ)', '@moves.post("x")'])
def test_a_long_handler_is_found(declaration: str) -> None:
    body = "\n".join(["    step()"] * 21)

    assert list(_handlers(f'{declaration}\ndef handle(call):\n    """Text."""\n{body}\n')) == [(2, "handle", 21)]
