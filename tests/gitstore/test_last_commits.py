"""The newest commit of each entry of a folder."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from ingot.gitstore.last_commits import MOST_ENTRIES, Commits, _known, last_commits
from ingot.gitstore.objects import get_commit
from ingot.gitstore.repository import Repository
from ingot.kit.blobs import local_store
from ingot.kit.blobs.shared_cache import SharedCache
from tests.gitstore.conftest import Builder
from tests.support.waiting import until


def whole(
    repo: Repository, sha: str, folder: str, names: Sequence[str], shared: SharedCache | None = None, **how: int
) -> Commits:
    """What is known in the end."""
    until(lambda: last_commits(repo, sha, folder, names, shared=shared, **how).is_over)
    return last_commits(repo, sha, folder, names, **how).commits


def test_folders_have_last_commits_as_the_root_has(repo: Repository, build: Builder) -> None:
    first = build.commit("main", {"src/*star/a": "1", "src/b": "1", "top": "1"}, "First")
    second = build.commit("main", {"src/b": "2"}, "Second")
    third = build.commit("main", {"top": "2"}, "Third")
    root = whole(repo, third, "", ["src", "top"])
    assert {name: commit.sha for name, commit in root.items()} == {"": third, "src": second, "top": third}
    inside = whole(repo, third, "src", ["*star", "b"])
    assert {name: commit.subject for name, commit in inside.items()} == {"": "Second", "*star": "First", "b": "Second"}
    assert whole(repo, third, "src/*star", ["a"])["a"].sha == first


def test_a_walk_goes_on_where_it_stopped(repo: Repository, build: Builder) -> None:
    names = ["-dash", "old", "*star[1]"]
    for name in names:
        build.commit("main", {f"docs/{name}": "1"}, f"Add {name}")
    base = build.commit("main", {"docs/side": "1", "docs/new": "1"}, "Fork")
    side = build.commit("side", {"docs/side": "2"}, "Aside", parents=[base])
    main = build.commit("main", {"docs/new": "2"}, "Round 0")
    build.commit("main", {"docs/new": "3", "docs/side": "2"}, "Merge", parents=[main, side])
    for number in range(4):
        head = build.commit("main", {"docs/new": f"{number} again"}, f"Round {number}")
    commits = whole(repo, head, "docs", [*names, "new", "side"], walked=2, most=1)
    shown = {name: commit.subject for name, commit in commits.items()}
    assert shown == {"": "Round 3", "new": "Round 3", "side": "Aside", **{name: f"Add {name}" for name in names}}


def test_a_branch_that_moved_on_is_read_down_to_what_is_known(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1", "b": "1"}, "First")
    second = build.commit("main", {"b": "2"}, "Second")
    assert whole(repo, second, "", ["a", "b"])["a"].subject == "First"
    third = build.commit("main", {"c": "1"}, "Third")
    moved = {name: commit.subject for name, commit in whole(repo, third, "", ["a", "b", "c"]).items()}
    assert moved == {"": "Third", "a": "First", "b": "Second", "c": "Third"}
    other = build.commit("other", {"a": "2", "b": "1"}, "Elsewhere", parents=[])
    assert {commit.subject for commit in whole(repo, other, "", ["a", "b"]).values()} == {"Elsewhere"}


def test_commits_that_were_written_by_hand_end_no_walk(repo: Repository, build: Builder) -> None:
    first = build.commit("main", {"a": "1"}, "First")
    timeless = get_commit(repo, build.commit("main", {"b": "1"}, "Timeless", parents=[first]))
    raw = f"tree {timeless.tree_id}\nparent {first}\nauthor A <a@b>\ncommitter A <a@b>\n\nTimeless\n".encode()
    sha = repo.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", stdin=raw).text.strip()
    head = build.commit("main", {"c": "1", "d": "1", "e": "1"}, f"Mark \x01{first}", parents=[sha])
    commits = whole(repo, head, "", ["a", "b", "c"])
    subjects = {name: commits[name].subject for name in "abc"}
    assert subjects == {"a": "First", "b": "Timeless", "c": f"Mark \x01{first}"}


@pytest.mark.parametrize("subject", ["\x01", "a\x01b", "\x1fa\x02", "/{first}", ""])
def test_any_subject_and_any_name_is_read(repo: Repository, build: Builder, subject: str) -> None:
    first = build.commit("main", {"in/a": "1", "in/\x01": "1", "in/\nb": "1"}, "First")
    names = ["a", "\x01", "\nb", f"\x01{first}"]
    head = build.commit("main", {f"in/{name}": "2" for name in names}, subject.format(first=first))
    last = build.commit("main", {"in/z": "1"}, "Last")

    commits = whole(repo, last, "in", [*names, "z"])

    assert {name: commit.sha for name, commit in commits.items()} == {"": last, "z": last, **dict.fromkeys(names, head)}
    assert commits["a"].subject == subject.format(first=first)


def test_what_came_with_a_merge_is_of_the_merge(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"old": "1"}, "Base")
    side = build.commit("side", {"of-side": "1"}, "Side", parents=[base])
    main = build.commit("main", {"of-main": "1"}, "Main")
    files = {"of-side": "1", "new": "1", "in/new": "1"}
    merge = build.commit("main", files, "Merge", parents=[main, side])

    shown = {name: commit.subject for name, commit in whole(repo, merge, "", ["old", "new", "of-side", "in"]).items()}
    assert shown == {"": "Main", "old": "Base", "of-side": "Side", "new": "Merge", "in": "Merge"}
    assert {commit.sha for commit in whole(repo, merge, "in", ["new"]).values()} == {merge}

    again = build.commit("main", {"newer": "1"}, "Another merge", parents=[merge, side])
    assert whole(repo, again, "", ["old", "newer"])["newer"].sha == again


def test_other_processes_have_what_was_found_for_all_entries(repo: Repository, build: Builder, tmp_path: Path) -> None:
    build.commit("main", {"a": "1", "docs/b": "1"}, "First")
    head = build.commit("main", {"docs/b": "2"}, "Second")
    store = local_store(tmp_path / "objects")
    shared = SharedCache(store, "secret")
    assert len(whole(repo, head, "", ["a", "docs"], shared)) == 3
    until(lambda: list(store.list()))

    # As another process would know the repository, if it could read it: what is known comes from the store.
    elsewhere = Repository(tmp_path / "elsewhere" / repo.path.name)
    shown = {name: commit.subject for name, commit in whole(elsewhere, head, "", ["a", "docs"], shared).items()}
    assert shown == {"": "Second", "a": "First", "docs": "Second"}
    assert whole(elsewhere, head, "docs", ["b"], shared) == {}
    assert whole(Repository(tmp_path / "elsewhere" / "another.git"), head, "", ["a", "docs"], shared) == {}


def test_few_entries_are_kept_in_memory(repo: Repository, build: Builder) -> None:
    head = build.commit("main", {f"{folder}/x": "1" for folder in range(4)}, "First")
    for folder in range(4):
        whole(repo, head, str(folder), ["x", *map(str, range(MOST_ENTRIES // 2))])
    assert sum(len(walk.names) for walk in _known.values()) <= MOST_ENTRIES
