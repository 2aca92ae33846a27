"""Endpoints and pages ask policies, never for roles: the rule behind a right has one place."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingot.access import levels

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "ingot"
# Modules with these words in their names, or in folders of these names, answer requests.
ANSWERING = ("routes", "endpoints", "handlers", "pages")
ROLES = {name for name, value in vars(levels).items() if name.isupper() and isinstance(value, int)}


def _role_checks(source: str) -> Iterator[int]:
    """Lines that look at a role: a comparison of levels, or a question for administrators."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr == "is_admin":
            yield node.lineno
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            compares_level = any(isinstance(side, ast.Attribute) and side.attr == "level" for side in sides)
            orders_roles = any(isinstance(side, ast.Name) and side.id in ROLES for side in sides) and not isinstance(
                node.ops[0], ast.Eq
            )
            if compares_level or orders_roles:
                yield node.lineno


def _answering_modules() -> list[Path]:
    modules = (path for part in ("features", "web") for path in (SOURCE / part).rglob("*.py"))
    return [path for path in modules if any(word in path.stem or word in path.parent.name for word in ANSWERING)]


def test_modules_that_answer_requests_compare_no_roles() -> None:
    modules = _answering_modules()

    assert len(modules) > 150
    assert not [f"{module.relative_to(ROOT)}:{line}" for module in modules for line in _role_checks(module.read_text())]


@pytest.mark.parametrize(
    "check",
    ["call.project.level >= MAINTAINER", "row.access_level < REPORTER", "call.actor.is_admin", "group.level == level"],
)
def test_a_role_check_is_found(check: str) -> None:
    assert list(_role_checks(f"if {check}: ..."))


def test_a_value_that_is_a_level_may_be_named() -> None:
    assert not list(_role_checks("if call.params.access_level == MINIMAL: ..."))
