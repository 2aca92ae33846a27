"""The newest commit of each entry of a folder."""

from ingot.gitstore.last_commits import last_commits
from ingot.gitstore.repository import Repository
from tests.gitstore.conftest import Builder
from tests.support.waiting import until


def test_folders_have_last_commits_as_the_root_has(repo: Repository, build: Builder) -> None:
    first = build.commit("main", {"src/*star/a": "1", "src/b": "1", "top": "1"}, "First")
    second = build.commit("main", {"src/b": "2"}, "Second")
    third = build.commit("main", {"top": "2"}, "Third")
    root = last_commits(repo, third, "", ["src", "top"])
    assert {name: commit.sha for name, commit in root.items()} == {"": third, "src": second, "top": third}
    inside = last_commits(repo, third, "src", ["*star", "b"])
    assert {name: commit.subject for name, commit in inside.items()} == {"": "Second", "*star": "First", "b": "Second"}
    assert last_commits(repo, third, "src/*star", ["a"])["a"].sha == first


def test_entries_that_the_newest_commits_left_alone_are_known_soon(repo: Repository, build: Builder) -> None:
    names = ["-dash", "old", "*star[1]"]
    for name in names:
        build.commit("main", {f"docs/{name}": "1"}, f"Add {name}")
    for number in range(4):
        head = build.commit("main", {"docs/new": str(number)}, f"Round {number}")

    def found() -> dict[str, str] | None:
        result = last_commits(repo, head, "docs", [*names, "new"], walked=2)
        return {name: commit.subject for name, commit in result.items()} if len(result) == len(names) + 2 else None

    assert until(found) == {"": "Round 3", "new": "Round 3", **{name: f"Add {name}" for name in names}}
