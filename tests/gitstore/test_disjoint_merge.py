"""The merge in process answers only where git answers the same: random histories, git itself as the witness."""

import random
import subprocess

import pytest

from ingot.gitstore import objects
from ingot.gitstore.disjoint_merge import disjoint_merge
from ingot.gitstore.errors import MergeConflict
from ingot.gitstore.repository import Repository
from ingot.gitstore.three_way import merge_commits
from tests.gitstore.conftest import Builder

FOLDERS = ("", "src/", "src/deep/", "docs/", "a/b/c/")
Files = dict[str, str | bytes | None]


def body(word: str) -> str:
    return "".join(f"{word} {line}\n" for line in range(12))


def random_side(dice: random.Random, known: list[str], side: str) -> Files:
    """A few edits, new files (some where a folder or a file of the other side is), removals and renames."""
    result: Files = {}
    for _ in range(dice.randint(1, 4)):
        kind = dice.choices(("edit", "add", "clash", "remove", "rename"), (4, 5, 1, 1, 1))[0]
        path = dice.choice(known)
        if path in result:
            continue
        if kind == "edit":
            result[path] = body(path) + f"{side} {dice.randint(0, 3)}\n"
        elif kind == "add":
            result[f"{dice.choice(FOLDERS)}new-{dice.randint(0, 30)}"] = f"{side}\n"
        elif kind == "clash":
            result[dice.choice(("both", "both/inside", "docs/both", "docs/both/inside"))] = f"{side}\n"
        else:
            result[path] = None
            if kind == "rename":
                result[f"moved/{path.rpartition('/')[2]}"] = body(path)
    if "both" in result and "both/inside" in result:
        del result["both"]
    if "docs/both" in result and "docs/both/inside" in result:
        del result["docs/both"]
    return result


def test_random_merges_give_the_tree_that_git_gives(repo: Repository, build: Builder) -> None:
    dice = random.Random(20261115)
    known = [f"{folder}file-{number}" for folder in FOLDERS for number in range(3)]
    base = build.commit("main", {path: body(path) for path in known})
    answered = 0

    for number in range(250):
        source = build.commit(f"s{number}", random_side(dice, known, "theirs"), parents=[base])
        target = build.commit(f"t{number}", random_side(dice, known, "ours"), parents=[base])
        created = disjoint_merge(repo, base, target, source)
        if created is not None:
            answered += 1
            assert created == merge_commits(repo, target, source), number

    assert 60 < answered < 200


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        pytest.param({"a": "2\n"}, {"a": "3\n"}, id="both changed a file"),
        pytest.param({"new": "1\n"}, {"new": "1\n"}, id="both added the same"),
        pytest.param({"new": "1\n"}, {"new/inside": "1\n"}, id="a file where the other has a folder"),
        pytest.param({"new/inside": "1\n"}, {"new": "1\n"}, id="a folder where the other has a file"),
        pytest.param({"a": None}, {"b": "2\n"}, id="one removed a file"),
        pytest.param({"b": "2\n"}, {"old/x": None, "fresh/x": "x\n"}, id="one renamed a file"),
    ],
)
def test_where_something_has_to_be_decided_git_decides(
    repo: Repository, build: Builder, ours: Files, theirs: Files
) -> None:
    base = build.commit("main", {"a": "1\n", "b": "1\n", "old/x": "x\n"})
    target = build.commit("ours", ours, parents=[base])
    source = build.commit("theirs", theirs, parents=[base])

    assert disjoint_merge(repo, base, target, source) is None


def test_several_best_common_ancestors_are_left_to_git(repo: Repository, build: Builder) -> None:
    root = build.commit("main", {"a": "1\n", "b": "1\n"})
    one = build.commit("one", {"a": "2\n"}, parents=[root])
    two = build.commit("two", {"b": "2\n"}, parents=[root])
    target = build.commit("t", {"b": "2\n", "x": "1\n"}, parents=[one, two])
    source = build.commit("s", {"a": "2\n", "y": "1\n"}, parents=[two, one])
    base = objects.merge_base(repo, target, source)
    assert base in (one, two)

    assert disjoint_merge(repo, base, target, source) is None


def test_a_file_that_became_executable_or_a_link_keeps_its_mode(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"run": "go\n", "a": "1\n"})
    entry = objects.find_entry(repo, base, "run")
    assert entry is not None
    target = build.commit("ours", {"a": "2\n"}, parents=[base])
    tree = build.git("ls-tree", base).replace(f"100644 blob {entry.id}", f"100755 blob {entry.id}")
    created = _commit_of(build, tree + f"\n120000 blob {entry.id}\tlink", base)

    merged = disjoint_merge(repo, base, target, created)

    assert merged == merge_commits(repo, target, created)
    assert merged is not None
    assert {line.split()[0] for line in build.git("ls-tree", merged).splitlines()} == {"100755", "100644", "120000"}


def test_a_conflict_is_never_merged(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"a": "1\n"})
    target = build.commit("ours", {"a": "2\n"}, parents=[base])
    source = build.commit("theirs", {"a": "3\n"}, parents=[base])

    assert disjoint_merge(repo, base, target, source) is None
    with pytest.raises(MergeConflict):
        merge_commits(repo, target, source)


def _commit_of(build: Builder, listing: str, parent: str) -> str:
    making = ["git", f"--git-dir={build.repo.path}", "mktree"]
    tree = subprocess.run(making, input=listing + "\n", text=True, check=True, capture_output=True).stdout.strip()
    return build.git("-c", "user.name=a", "-c", "user.email=a@b", "commit-tree", tree, "-p", parent, "-m", "modes")
