"""No test is in a hurry: calls that give up after five seconds, as those of httpx do, fail on a busy machine."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
CALLS = {"get", "post", "put", "patch", "delete", "head", "options", "request", "stream", "Client", "AsyncClient"}
LEAST = 60  # seconds
# Gives every call its limit by itself.
PATIENT_ITSELF = {"support/plain_http.py"}


def _hasty_calls(source: str) -> Iterator[int]:
    """Lines that call httpx without a limit of time, or with a short one."""
    for node in ast.walk(ast.parse(source)) if "httpx." in source else ():
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {f"httpx.{name}" for name in CALLS}:
            limits = [one.value for one in node.keywords if one.arg == "timeout"]
            if not limits or (isinstance(limits[0], ast.Constant) and limits[0].value < LEAST):
                yield node.lineno


def test_no_test_calls_in_a_hurry() -> None:
    hasty = {
        path.relative_to(TESTS).as_posix(): lines
        for path in TESTS.rglob("*.py")
        if (lines := list(_hasty_calls(path.read_text())))
    }

    assert hasty.keys() - PATIENT_ITSELF == set(), f"take tests.support.plain_http: {hasty}"


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("httpx.get(url)", [1]),
        ("with httpx.Client(base_url=url) as http: http.get('/')", [1]),
        ("\nhttpx.post(url, timeout=5)", [2]),
        ("httpx.post(url, timeout=LIMIT)", []),
        ("plain_http.get(url)", []),
    ],
)
def test_a_hasty_call_is_found(source: str, lines: list[int]) -> None:
    assert list(_hasty_calls(source)) == lines
