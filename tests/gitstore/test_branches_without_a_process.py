"""Branches read from their files, beside what git itself says."""

from ingot.gitstore import listing, objects, refs
from ingot.gitstore.loose_refs import MOST, few_branches
from ingot.gitstore.repository import Repository
from tests.gitstore.conftest import Builder


def witness(build: Builder) -> dict[bytes, str]:
    lines = build.git("for-each-ref", "--format=%(objectname) %(refname)", "refs/heads/").splitlines()
    return {line[41:].removeprefix("refs/heads/").encode(): line[:40] for line in lines}


def test_loose_and_packed_branches_are_what_git_lists(repo: Repository, build: Builder) -> None:
    for name in ("main", "feature/a", "feature/b", "grün", "old"):
        build.commit(name, {"a": name})
    refs.create_tag(repo, "v1", "main")
    build.git("pack-refs", "--all")
    build.commit("main", {"a": "moved on"})
    build.commit("fresh", {"a": "loose"})
    refs.delete_branch(repo, "old")

    result = few_branches(repo.path)

    assert result == witness(build)
    assert result is not None
    assert {b"main", b"fresh", "grün".encode(), b"feature/a"} <= result.keys()
    assert [branch.name for branch in listing.list_branches(repo)] == sorted(name.decode() for name in result)


def test_an_empty_repository_has_none(repo: Repository) -> None:
    assert few_branches(repo.path) == {}


def test_what_is_no_plain_id_is_left_to_git(repo: Repository, build: Builder) -> None:
    head = build.commit("main", {"a": "1"})
    build.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")

    assert few_branches(repo.path) is None
    assert [(b.name, b.commit_id) for b in listing.list_branches(repo)] == [("alias", head), ("main", head)]


def test_many_branches_are_left_to_git(repo: Repository, build: Builder) -> None:
    head = build.commit("main", {"a": "1"})
    folder = repo.path / "refs" / "heads" / "many"
    folder.mkdir()
    for number in range(MOST):
        (folder / str(number)).write_text(f"{head}\n")

    assert few_branches(repo.path) is None
    assert len(listing.list_branches(repo)) == MOST + 1


def test_merged_heads_are_known_by_their_ids(repo: Repository, build: Builder) -> None:
    first = build.commit("main", {"a": "1"})
    done = build.commit("done", {"b": "1"}, parents=[first])
    merged = build.commit("main", {"b": "2"}, parents=[first, done])
    ahead = build.commit("open", {"c": "3"}, parents=[first])

    assert listing.merged_heads(repo, {done, ahead, first}, merged) == {done, first}
    later = build.commit("main", {"d": "4"}, parents=[merged, ahead])
    assert listing.merged_heads(repo, {done, ahead, first}, later) == {done, ahead, first}
    assert objects.head_commit(repo, ahead).id == ahead
