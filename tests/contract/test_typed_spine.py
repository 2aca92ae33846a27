"""Parameters say what they take: `Any` is rare in their types, and says why it is there.

Counted are a plain `Any`, one inside another type (`dict[str, Any]`, `Callable[..., Any]`), and one behind an alias
(`Values = Mapping[str, Any]`), wherever the alias comes from.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import ingot

SOURCES = Path(ingot.__file__).parent
MOST = 30
# The type of a statement, column or row is the library's own business: it does not say what a function takes.
STATEMENTS = {
    "BinaryExpression", "BindParameter", "Column", "ColumnElement", "CompoundSelect", "Row", "Select", "TypeEngine",
}  # fmt: skip


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.arg]:
    given = function.args
    yield from (*given.posonlyargs, *given.args, *given.kwonlyargs)
    yield from (one for one in (given.vararg, given.kwarg) if one is not None)


def has_reason(line: str) -> bool:
    """A comment for people, not for a tool."""
    comment = line.partition("# ")[2]
    return bool(comment) and not comment.startswith(("noqa", "type:", "fmt:"))


def is_loose(annotation: ast.AST, names: set[str]) -> bool:
    """One of the names occurs in the type, other than in the type of a statement or column."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return not names.isdisjoint(re.findall(r"\w+", annotation.value))
    if isinstance(annotation, ast.Name):
        return annotation.id in names
    if isinstance(annotation, ast.Subscript):
        base = annotation.value
        if isinstance(base, ast.Name) and base.id in STATEMENTS | {"Literal"}:
            return False
    return any(is_loose(part, names) for part in ast.iter_child_nodes(annotation) if isinstance(part, ast.expr))


def module_name(path: Path, root: Path) -> str:
    parts = path.relative_to(root.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class Module:
    """What is looked at in one file."""

    def __init__(self, path: Path, root: Path) -> None:
        text = path.read_text()
        self.path, self.name, self.lines = path.relative_to(root), module_name(path, root), ["", *text.splitlines()]
        tree = ast.parse(text)
        nodes = list(ast.walk(tree))
        self.imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
        self.functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        self.aliases = [
            (node.targets[0].id, node.value)
            for node in tree.body
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, ast.Name | ast.Subscript | ast.BinOp)
        ]
        self.loose = {"Any"}  # names that stand for it

    def grow(self, known: dict[str, set[str]]) -> int:
        """Learn which aliases, own or imported, stand for `Any`; returns how many names do."""
        for node in self.imports:
            there = known.get(node.module or "", set())
            self.loose |= {one.asname or one.name for one in node.names if one.name in there}
        self.loose |= {name for name, value in self.aliases if is_loose(value, self.loose)}
        known[self.name] = self.loose - {"Any"}
        return len(self.loose)


def loose_parameters(root: Path) -> dict[str, bool]:
    """Every parameter with `Any` in its type, and whether a comment at it, or above it or its function, says why."""
    modules = [Module(path, root) for path in sorted(root.rglob("*.py"))]
    known: dict[str, set[str]] = {}
    before, number = 0, len(modules)
    while number > before:
        before, number = number, sum(module.grow(known) for module in modules)
    result: dict[str, bool] = {}
    for module in modules:
        for function in module.functions:
            first = min([function.lineno, *(one.lineno for one in function.decorator_list)])
            for one in parameters(function):
                if one.annotation is not None and is_loose(one.annotation, module.loose):
                    places = (one.lineno, one.lineno - 1, function.lineno - 1, first - 1)
                    place = f"{module.path}:{one.lineno} {function.name}({one.arg})"
                    result[place] = any(has_reason(module.lines[at]) for at in places)
    return result


@cache
def of_the_product() -> dict[str, bool]:
    return loose_parameters(SOURCES)


def test_few_parameters_have_any_in_their_type() -> None:
    result = of_the_product()

    assert 0 < len(result) <= MOST, "\n".join(result)


def test_every_any_has_its_reason() -> None:
    silent = [place for place, has_why in of_the_product().items() if not has_why]

    assert silent == []


@pytest.mark.parametrize(
    "parameter",
    ["x: Any", "*x: Any", "x: dict[str, Any] | None", "x: 'Callable[..., Any]'", "x: Values", "x: list[Renamed]"],
)
def test_any_is_found_behind_its_disguises(tmp_path: Path, parameter: str) -> None:
    (tmp_path / "aliases.py").write_text("Values = Mapping[str, Any]\n")
    name = tmp_path.name
    imports = f"from {name}.aliases import Values\nfrom {name}.aliases import Values as Renamed\n"
    (tmp_path / "module.py").write_text(f"{imports}\ndef function({parameter}): ...\n")

    assert list(loose_parameters(tmp_path).values()) == [False]


def test_types_of_statements_and_precise_types_are_none(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text("def function(a: Select[Any], b: Mapping[str, object], c: str): ...\n")

    assert loose_parameters(tmp_path) == {}
