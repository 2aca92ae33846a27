"""Regular expressions of a few hundred letters that are as costly as thousands: refused, or given little time."""

from typing import Any
from urllib.parse import quote

import pytest

from ingot.kit.regexps import MOST_STEPS, RegexpError, TooMuchWork, compile_regexp, limited_work
from tests.support.world import Person, World

# Compiling the first took ten seconds of processor time, finding the second in a name of 3,000 letters a minute.
HOSTILE = [
    "a{0,1000}" * 50,
    "(a?){1000}" * 30,
    "(a*){100}" * 40,
    r"(\pL?){1000}",
    "((((a?){30})?){30})" * 9,
    "a" * 5000,
]
HONEST = [r"^(feature|fix)/[A-Z]{2,10}-\d+", ".{1,255}", r"^[\p{L}\p{N} ._-]+$", "(?i)(release|hotfix).*[0-9]$"]


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, visibility="public", initialize_with_readme=True)


def test_large_expressions_do_not_compile() -> None:
    for text in HOSTILE:
        with pytest.raises(RegexpError):
            compile_regexp(text)
    for text in HONEST:
        assert compile_regexp(text).search("release 1") is not None or text.startswith("^(")


def test_what_compiles_is_matched_against_short_texts_only() -> None:
    costly = compile_regexp("(a*){100}" * 10)

    assert costly.search("a" * 300) is not None
    with pytest.raises(TooMuchWork):
        costly.search("a" * (MOST_STEPS // 1000))


def test_many_matches_have_a_limit_together() -> None:
    with limited_work(0.000_001):
        expression = compile_regexp("a{100}")
        with pytest.raises(TooMuchWork):
            [expression.search("b") for _ in range(2)]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_door_takes_a_hostile_expression(world: World, owner: Person, project: dict[str, Any], text: str) -> None:
    base = f"/projects/{project['id']}"
    config = f"job: {{script: [x], rules: [{{if: '$CI_COMMIT_REF_NAME =~ /{text}/'}}]}}"
    hook = {"url": "https://example.com", "push_events_branch_filter": text, "branch_filter_strategy": "regex"}

    branches = world.anonymous.get(f"{base}/repository/branches?regex={quote(text)}")
    lint = owner.client.post(f"{base}/ci/lint", json={"content": config, "dry_run": True, "ref": "main"})

    assert branches.status_code == 400
    assert "regex is an invalid regexp" in branches.text
    assert owner.client.post(f"{base}/push_rule", json={"branch_name_regex": text}).status_code == 400
    assert owner.client.post(f"{base}/hooks", json=hook).status_code == 422
    assert lint.json()["valid"] is False


def test_a_costly_rule_of_a_pipeline_is_a_fault_of_its_configuration(owner: Person, project: dict[str, Any]) -> None:
    text = "(a*){100}" * 10
    variables = {"LONG": "a" * 60_000}
    config = f"""
variables: {{LONG: {variables["LONG"]}}}
job: {{script: [x], rules: [{{if: '$LONG =~ /{text}/'}}]}}
"""
    path = f"/projects/{project['id']}/ci/lint"

    result = owner.client.ok("POST", path, json={"content": config, "dry_run": True, "ref": "main"})

    assert "takes too long to match" in result["errors"][0]
