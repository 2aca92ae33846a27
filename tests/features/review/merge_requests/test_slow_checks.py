"""Git that takes too long to tell whether a request can be merged: nobody calls that a conflict."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.databases import Databases
from tests.support.slow_git import TOO_SLOW, SlowGit, slow_git
from tests.support.waiting import until

pytestmark = pytest.mark.costly

LIMIT = 8.0  # seconds; no git command that does not hang takes as long, whatever else the machine does
LINES = [f"line {number}\n" for number in range(20)]


@pytest.fixture(scope="module")
def git(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlowGit]:
    with slow_git(databases, tmp_path_factory.mktemp("slow"), LIMIT) as git:
        yield git


@pytest.fixture(scope="module")
def branches(git: SlowGit) -> list[str]:
    """Branches that changed another line of the same file than main did: only git can tell that this is no conflict."""
    git.save("main", "create", "lines.txt", "".join(LINES))
    names = ["checked", "rebased"]
    for name in names:
        git.save(name, "update", "lines.txt", "".join([f"{name}\n", *LINES]), start_branch="main")
    git.save("main", "update", "lines.txt", "".join([*LINES, "last\n"]))
    return names


def open_request(git: SlowGit, branch: str) -> tuple[str, dict[str, Any]]:
    """Its address, and what was answered."""
    fields = {"source_branch": branch, "target_branch": "main", "title": branch}
    answer = git.ask(f"/api/v4{git.path}/merge_requests", "POST", json=fields)
    assert answer.status_code == 201, answer.text
    return f"/api/v4{git.path}/merge_requests/{answer.json()['iid']}", answer.json()


def shown(request: dict[str, Any]) -> tuple[str, str, bool]:
    return request["merge_status"], request["detailed_merge_status"], request["has_conflicts"]


def test_a_check_that_takes_too_long_is_made_again(git: SlowGit, branches: list[str]) -> None:
    with git.hanging("merge-tree"):
        address, created = open_request(git, "checked")
        read = git.ask(address).json()
        merged = git.ask(f"{address}/merge", "PUT")

    assert shown(created) == shown(read) == ("unchecked", "unchecked", False)
    assert (merged.status_code, merged.json()) == (503, {"message": TOO_SLOW})
    later = git.ask(address).json()
    assert shown(later) == ("can_be_merged", "mergeable", False)
    assert later["merge_error"] is None
    assert git.ask(f"{address}/merge", "PUT").json()["state"] == "merged"


def test_a_rebase_that_takes_too_long_says_so(git: SlowGit, branches: list[str]) -> None:
    address, _ = open_request(git, "rebased")

    with git.hanging("merge-tree"):
        assert git.ask(f"{address}/rebase", "PUT").status_code == 202
        error = until(lambda: git.ask(address).json()["merge_error"])

    assert error == "The git operation took too long."
