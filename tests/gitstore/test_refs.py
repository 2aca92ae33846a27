import os
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from ingot.gitstore import listing, refs
from ingot.gitstore.errors import (
    InvalidRefName,
    LockTimeout,
    RefChanged,
    RefConflict,
    RefExists,
    RefNotFound,
    RevisionNotFound,
)
from ingot.gitstore.model import ZERO_ID
from ingot.gitstore.names import is_valid_branch, is_valid_ref, is_valid_tag
from ingot.gitstore.refs import RefUpdate
from ingot.gitstore.repository import Repository
from ingot.gitstore.stale_locks import free_stale_locks
from tests.gitstore.conftest import ANNA, Builder

HOSTILE = [
    "-x", "--upload-pack=x", "", "a..b", "a b", "a~1", "a^", "a:b", "a?", "a*", "a[b", "a\\b", "a.lock", "a/.b",
    ".a", "a/", "/a", "a//b", "a.", "@", "HEAD", "a@{b", "a\nb", "a\0b", "a\x7fb", "refs/heads/x",
    "f" * 40, "x" * 300, "bad\udcff",
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_that_git_or_a_shell_could_misread_is_no_branch(repo: Repository, build: Builder, name: str) -> None:
    build.commit("main", {"a": "1"})

    assert not is_valid_branch(name)
    with pytest.raises(InvalidRefName):
        refs.create_branch(repo, name, "main")
    assert refs.find_branch(repo, name) is None


@pytest.mark.parametrize("name", ["main", "feature/x", "grün", "日本", "a-b_c.d", "x@y", "1.0", "%2F", "a'b\"c", "#1"])
def test_an_odd_but_legal_name_works_as_branch_and_tag(repo: Repository, build: Builder, name: str) -> None:
    head = build.commit("start", {"a": "1"})

    assert is_valid_branch(name)
    assert is_valid_tag(name)
    refs.create_branch(repo, name, "start")
    refs.create_tag(repo, name, "start", message="Über", tagger=ANNA)
    assert refs.find_branch(repo, name) == head
    assert name in [branch.name for branch in listing.list_branches(repo)]
    tag = listing.find_tag(repo, name)
    assert tag is not None
    assert (tag.commit_id, listing.tag_message(repo, tag), tag.tagger) == (head, "Über", ANNA)


def test_our_rules_agree_with_git_on_many_names(build: Builder) -> None:
    import itertools
    import subprocess

    for letters in itertools.product("a./@{~-", repeat=3):
        name = "refs/heads/" + "".join(letters)
        verdict = subprocess.run(["git", "check-ref-format", name], check=False).returncode == 0
        assert is_valid_ref(name) == verdict, name


def test_branches_come_sorted_and_searched(repo: Repository, build: Builder) -> None:
    for name in ("b-old", "A-new", "feature/b"):
        build.commit(name, {"a": name})

    assert [b.name for b in listing.list_branches(repo)] == ["A-new", "b-old", "feature/b"]
    assert [b.name for b in listing.list_branches(repo, sort="updated_desc")] == ["feature/b", "A-new", "b-old"]
    assert [b.name for b in listing.list_branches(repo, sort="updated_asc")] == ["b-old", "A-new", "feature/b"]
    assert [b.name for b in listing.list_branches(repo, search="^B")] == ["b-old"]
    assert [b.name for b in listing.list_branches(repo, search="b$")] == ["feature/b"]
    assert [b.name for b in listing.list_branches(repo, search="f*re")] == ["feature/b"]
    assert [b.name for b in listing.list_branches(repo, search="NEW")] == ["A-new"]
    assert listing.branch_names(repo) == ["A-new", "b-old", "feature/b"]


def test_an_empty_repository_has_empty_lists(repo: Repository) -> None:
    assert listing.list_branches(repo) == []
    assert listing.list_tags(repo) == []
    assert listing.branch_names(repo) == []
    assert listing.find_tag(repo, "v1") is None


def test_merged_branches_are_those_whose_head_the_target_has(repo: Repository, build: Builder) -> None:
    first = build.commit("main", {"a": "1"})
    build.commit("done", {}, parents=[first])
    merged = build.commit("main", {"b": "2"}, parents=[first, refs.find_branch(repo, "done") or ""])
    build.commit("open", {"c": "3"}, parents=[first])

    assert listing.merged_branches(repo, merged) == {"main", "done"}
    assert ("branch", "open") in listing.containing(repo, first)
    assert listing.containing(repo, merged, "branch") == [("branch", "main")]


def test_tags_light_and_annotated_in_three_orders(repo: Repository, build: Builder) -> None:
    first = build.commit("main", {"a": "1"})
    refs.create_tag(repo, "v1.10", "main")
    second = build.commit("main", {"a": "2"})
    target = refs.create_tag(repo, "v1.9", "main", message="Ninth\n\nwith body", tagger=ANNA)

    by_name = listing.list_tags(repo)
    assert [tag.name for tag in by_name] == ["v1.10", "v1.9"]
    assert [tag.name for tag in listing.list_tags(repo, order_by="version")] == ["v1.9", "v1.10"]
    assert [tag.name for tag in listing.list_tags(repo, order_by="updated", descending=True)] == ["v1.9", "v1.10"]
    assert (by_name[0].target, by_name[0].commit_id, by_name[0].is_annotated) == (first, first, False)
    assert (by_name[1].target, by_name[1].commit_id, by_name[1].is_annotated) == (target, second, True)
    assert [listing.tag_message(repo, tag) for tag in by_name] == [None, "Ninth\n\nwith body"]
    assert target != second
    with pytest.raises(RefExists):
        refs.create_tag(repo, "v1.9", "main")
    refs.delete_tag(repo, "v1.9")
    with pytest.raises(RefNotFound):
        refs.delete_tag(repo, "v1.9")


def test_creating_a_branch_names_what_is_wrong(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1"})

    with pytest.raises(RefExists):
        refs.create_branch(repo, "main", "main")
    with pytest.raises(RevisionNotFound, match="invalid revision 'nope'"):
        refs.create_branch(repo, "x", "nope")
    with pytest.raises(RevisionNotFound):
        refs.create_branch(repo, "x", "--all")
    with pytest.raises(RefConflict):
        refs.create_branch(repo, "main/below", "main")
    with pytest.raises(RefNotFound):
        refs.delete_branch(repo, "absent")


def test_an_update_with_a_stale_old_value_changes_nothing(repo: Repository, build: Builder) -> None:
    first = build.commit("main", {"a": "1"})
    second = build.commit("main", {"a": "2"})

    with pytest.raises(RefChanged):
        refs.update(repo, [RefUpdate("refs/heads/new", first, ZERO_ID), RefUpdate("refs/heads/main", first, first)])

    assert refs.find_branch(repo, "main") == second
    assert refs.find_branch(repo, "new") is None
    with pytest.raises(RefChanged):
        refs.update(repo, [RefUpdate("refs/heads/main", first, ZERO_ID)])
    with pytest.raises(RefChanged):
        refs.update(repo, [RefUpdate("refs/heads/absent", first, second)])
    with pytest.raises(RefChanged):
        refs.update(repo, [RefUpdate("refs/heads/main", None, first)])


def test_a_ref_cannot_point_to_an_object_that_is_not_there(repo: Repository) -> None:
    with pytest.raises(RevisionNotFound):
        refs.update(repo, [RefUpdate("refs/heads/main", "1" * 40)])
    with pytest.raises(RevisionNotFound):
        refs.update(repo, [RefUpdate("refs/heads/main", "main")])
    with pytest.raises(InvalidRefName):
        refs.update(repo, [RefUpdate("main\0x", "1" * 40)])


def test_eight_threads_swap_one_ref_and_exactly_one_wins(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"a": "0"})
    candidates = [build.commit(f"c{n}", {"a": str(n + 1)}, parents=[base]) for n in range(8)]
    barrier = threading.Barrier(8)

    def swap(sha: str) -> bool:
        barrier.wait()
        try:
            refs.update(Repository(repo.path), [RefUpdate("refs/heads/main", sha, base)])
        except RefChanged:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        won = list(pool.map(swap, candidates))

    assert won.count(True) == 1
    assert refs.find_branch(repo, "main") == candidates[won.index(True)]


def test_eight_threads_create_eight_branches(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "0"})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: refs.create_branch(repo, f"b{n}", "main"), range(8)))

    assert len(listing.list_branches(repo)) == 9


def test_the_lock_excludes_threads_and_gives_up_in_time(repo: Repository) -> None:
    counter = {"inside": 0, "most": 0}

    def enter(_: int) -> None:
        with Repository(repo.path).lock():
            counter["inside"] += 1
            counter["most"] = max(counter["most"], counter["inside"])
            counter["inside"] -= 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(enter, range(40)))
    assert counter["most"] == 1

    with repo.lock(), ThreadPoolExecutor(1) as pool, pytest.raises(LockTimeout):
        pool.submit(lambda: repo.lock(0.05).__enter__()).result()


def test_the_lock_excludes_another_process(repo: Repository) -> None:
    import subprocess
    import sys

    code = (
        "import sys; from ingot.gitstore.repository import Repository\n"
        "from ingot.gitstore.errors import LockTimeout\n"
        "try:\n  Repository(sys.argv[1]).lock(0.05).__enter__()\n"
        "except LockTimeout: sys.exit(7)"
    )
    command = [sys.executable, "-c", code, str(repo.path)]
    environment = {"PYTHONPATH": "src", "PATH": "/usr/bin:/bin"}
    with repo.lock():
        assert subprocess.run(command, check=False, env=environment).returncode == 7
    assert subprocess.run(command, check=False, env=environment).returncode == 0


def test_a_packed_branch_moves_and_a_stale_value_is_refused(repo: Repository, build: Builder) -> None:
    one = build.commit("main", {"a": "1"})
    two = build.commit("side", {"a": "2"}, parents=[one])
    build.git("pack-refs", "--all", "--prune")

    with pytest.raises(RefChanged):
        refs.update(repo, [RefUpdate("refs/heads/main", one, two)])
    refs.update(repo, [RefUpdate("refs/heads/main", two, one)])

    assert build.git("rev-parse", "refs/heads/main") == two
    assert not list((repo.path / "refs").rglob("*.lock"))


def test_a_branch_that_git_itself_is_moving_is_waited_for(repo: Repository, build: Builder) -> None:
    one = build.commit("main", {"a": "1"})
    two = build.commit("side", {"a": "2"}, parents=[one])
    lock = repo.path / "refs/heads/main.lock"
    lock.touch()
    release = threading.Timer(0.2, lock.unlink)
    release.start()

    refs.update(repo, [RefUpdate("refs/heads/main", two, one)])

    release.join()
    assert build.git("rev-parse", "refs/heads/main") == two


def test_our_moves_and_those_of_git_lose_none_of_each_other(repo: Repository, build: Builder) -> None:
    heads = [build.commit("main", {"a": "0"})]
    heads += [build.commit("line", {"a": str(n)}, parents=[heads[0]]) for n in range(8)]

    def move(number: int) -> bool:
        new = heads[number + 1]
        try:
            if number % 2:
                build.git("update-ref", "refs/heads/main", new, heads[0])
            else:
                refs.update(repo, [RefUpdate("refs/heads/main", new, heads[0])])
        except (RefChanged, subprocess.CalledProcessError):
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        won = list(pool.map(move, range(8)))

    assert won.count(True) == 1
    assert refs.find_branch(repo, "main") == heads[won.index(True) + 1]


def test_locks_that_a_killed_git_left_are_in_nobodys_way_for_long(repo: Repository, build: Builder) -> None:
    old = build.commit("main", {"a": "1"})
    new = build.commit("other", {"a": "2"})
    left = [repo.path / name for name in ("refs/heads/main.lock", "refs/heads/new.lock", "packed-refs.lock")]
    for path in left:
        path.touch()
    free_stale_locks(repo, ["refs/heads/main", "refs/heads/new"])
    assert all(path.exists() for path in left)  # somebody may be at work

    for path in left:
        os.utime(path, (0, 0))
    refs.update(
        repo,
        [
            RefUpdate("refs/heads/main", new, old),
            RefUpdate("refs/heads/new", new, ZERO_ID),
            RefUpdate("refs/heads/other", None, new),
        ],
    )

    assert (refs.find_branch(repo, "main"), refs.find_branch(repo, "other")) == (new, None)
    assert not any(path.exists() for path in left)
