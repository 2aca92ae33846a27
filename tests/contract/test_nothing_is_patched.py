"""Tests run the product as it is: they replace no module's names, neither ours nor a library's."""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
REPLACING = {"setattr", "setitem", "delattr", "delitem"}
SUSPICIOUS = re.compile(r"monkeypatch|mock|^\s*\w+\.\w+ = ", re.MULTILINE)  # without it there is nothing to parse
# The worker that has to die between two batches overrides a method in a process of its own.
OVERRIDES_IN_A_PROCESS = {"operating/test_killed_between_batches.py"}


def _patches(source: str) -> Iterator[int]:
    """Lines that replace names: `monkeypatch.setattr`, `unittest.mock`, an assignment to a module's or class's name."""
    ours = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom | ast.Import):
            names = [alias.name for alias in node.names]
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else names
            if "mock" in names or any(module.startswith("unittest") for module in modules):
                yield node.lineno
            if any(module.split(".")[0] == "ingot" for module in modules):
                ours |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            replaces = node.value.id == "monkeypatch" and node.attr in REPLACING
            if replaces or (isinstance(node.ctx, ast.Store) and node.value.id in ours):
                yield node.lineno


def _patches_with_scripts(source: str) -> list[int]:
    """Those of a test, and of the programs that it hands to processes of its own."""
    if not SUSPICIOUS.search(source):
        return []
    lines = list(_patches(source))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\nfrom ingot" in node.value:
            with suppress(SyntaxError):  # a text with holes that the test fills
                lines += _patches(node.value)
    return lines


def test_no_test_patches() -> None:
    patched = {
        path.relative_to(TESTS).as_posix(): lines
        for path in TESTS.rglob("*.py")
        if path != Path(__file__) and (lines := _patches_with_scripts(path.read_text()))
    }

    assert set(patched) == OVERRIDES_IN_A_PROCESS, patched


@pytest.mark.parametrize(
    "source",
    [
        'monkeypatch.setattr(module, "LIMIT", 1)',
        'monkeypatch.setitem(registry._kinds, "kind", 1)',
        "from unittest import mock",
        "from unittest.mock import patch",
        "from ingot.kit import pagination\npagination.LIMIT = 1",
        'SCRIPT = """\nfrom ingot.kit.jobs.run import Run\nRun.progress = print\n"""',
    ],
)
def test_a_patch_is_found(source: str) -> None:
    assert _patches_with_scripts(source)


def test_an_environment_variable_is_no_patch() -> None:
    assert not _patches_with_scripts('monkeypatch.setenv("HOME", "/nowhere")')
