import pytest

from ingot.gitstore import objects, refs, transfer
from ingot.gitstore.errors import MergeConflict, NotFastForward, RevisionNotFound, UnrelatedHistories
from ingot.gitstore.fast_forward import fast_forward
from ingot.gitstore.merge import check_merge
from ingot.gitstore.merge_commit import merge_commit
from ingot.gitstore.rebase import rebase
from ingot.gitstore.repository import Repository
from ingot.gitstore.squash import squash
from ingot.gitstore.storage import Storages
from tests.gitstore.conftest import ANNA, BEN, Builder

BODY = "".join(f"line {n}\n" for n in range(20))


def content(repo: Repository, sha: str, path: str) -> bytes | None:
    blob = objects.find_blob(repo, sha, path)
    return None if blob is None else blob.content


def test_a_clean_merge_has_both_parents_and_both_changes(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"a": "1\n"})
    source = build.commit("side", {"b": "1\n"}, parents=[base])
    target = build.commit("main", {"c": "1\n"})

    created = merge_commit(repo, target, source, "Merge branch 'side' into 'main'\n\nTitle", BEN)

    commit = objects.get_commit(repo, created)
    assert (commit.parent_ids, commit.author, commit.committer) == ((target, source), BEN, BEN)
    assert commit.message == "Merge branch 'side' into 'main'\n\nTitle"
    assert [entry.name for entry in objects.list_tree(repo, created)] == ["a", "b", "c"]
    assert refs.find_branch(repo, "main") == target


def test_a_merge_commit_is_made_even_where_a_fast_forward_would_do(repo: Repository, build: Builder) -> None:
    target = build.commit("main", {"a": "1\n"})
    source = build.commit("side", {"b": "1\n"}, parents=[target])

    created = merge_commit(repo, target, source, "m", BEN)

    assert objects.get_commit(repo, created).parent_ids == (target, source)
    assert fast_forward(repo, target, source) == source


def test_conflicts_name_their_files_and_change_nothing(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"a": "1\n", "dir/ü b": "1\n", "gone": BODY})
    source = build.commit("side", {"a": "2\n", "dir/ü b": "2\n", "gone": None}, parents=[base])
    target = build.commit("main", {"a": "3\n", "dir/ü b": "3\n", "gone": BODY + "x\n"})

    check = check_merge(repo, target, source)

    assert not check.can_merge
    assert check.conflicts == ("a", "dir/ü b", "gone")
    with pytest.raises(MergeConflict):
        merge_commit(repo, target, source, "m", BEN)
    assert refs.find_branch(repo, "main") == target


def test_an_edit_follows_a_rename(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"old/name": BODY, "old/other": "x\n" + BODY})
    source = build.commit("side", {"old/name": BODY + "edit\n"}, parents=[base])
    target = build.commit("main", {"old/name": None, "new/name": BODY, "old/other": None, "new/other": "x\n" + BODY})

    created = merge_commit(repo, target, source, "m", BEN)

    assert content(repo, created, "new/name") == (BODY + "edit\n").encode()
    assert content(repo, created, "old/name") is None


def test_unrelated_and_missing_commits(repo: Repository, build: Builder) -> None:
    one = build.commit("main", {"a": "1\n"})
    other = build.commit("orphan", {"b": "1\n"}, parents=[])

    created = merge_commit(repo, one, other, "m", BEN)
    assert [entry.name for entry in objects.list_tree(repo, created)] == ["a", "b"]
    assert objects.get_commit(repo, squash(repo, one, other, "m", BEN)).parent_ids == ()
    with pytest.raises(UnrelatedHistories):
        rebase(repo, other, one, BEN)
    clash = build.commit("clash", {"a": "2\n"}, parents=[])
    assert check_merge(repo, one, clash).conflicts == ("a",)
    for bad in ("0" * 40, "--stdin", "main"):
        with pytest.raises(RevisionNotFound):
            check_merge(repo, one, bad)


def test_a_source_the_target_already_has_merges_to_the_target(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"a": "1\n"})
    target = build.commit("main", {"a": "2\n"})

    assert check_merge(repo, target, base).tree == objects.get_commit(repo, target).tree_id


def test_fast_forward_needs_the_target_in_the_source(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"a": "1\n"})
    source = build.commit("side", {"b": "1\n"}, parents=[base])
    target = build.commit("main", {"c": "1\n"})

    with pytest.raises(NotFastForward):
        fast_forward(repo, target, source)


def test_squash_makes_one_commit_on_the_merge_base(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"a": "1\n"})
    build.commit("side", {"b": "1\n"}, parents=[base])
    source = build.commit("side", {"b": "2\n"})
    target = build.commit("main", {"c": "1\n"})

    squashed = squash(repo, target, source, "All of it", ANNA, BEN)

    commit = objects.get_commit(repo, squashed)
    assert (commit.parent_ids, commit.author, commit.committer) == ((base,), ANNA, BEN)
    assert commit.tree_id == objects.get_commit(repo, source).tree_id
    merged = merge_commit(repo, target, squashed, "m", BEN)
    assert objects.get_commit(repo, merged).parent_ids == (target, squashed)


def test_a_single_commit_with_the_squash_message_is_not_rewritten(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"a": "1\n"})
    source = build.commit("side", {"b": "1\n"}, "Title\n", parents=[base])

    assert squash(repo, base, source, "Title", ANNA) == source
    assert squash(repo, base, source, "Other", ANNA) != source


def test_rebase_replays_commits_with_their_authors(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"a": "1\n", "f": BODY})
    one = build.commit("side", {"b": "1\n"}, "one", parents=[base])
    two = build.commit("side", {"b": "2\n"}, "two")
    target = build.commit("main", {"f": None, "g": BODY})
    three = build.commit("side", {"f": BODY + "tail\n"}, "three")

    head = rebase(repo, three, target, BEN)

    chain = [objects.get_commit(repo, head)]
    while chain[-1].id != target:
        chain.append(objects.get_commit(repo, chain[-1].parent_ids[0]))
    assert [commit.message for commit in chain[:-1]] == ["three", "two", "one"]
    originals = [objects.get_commit(repo, sha) for sha in (three, two, one)]
    assert [commit.author for commit in chain[:-1]] == [commit.author for commit in originals]
    assert {commit.committer for commit in chain[:-1]} == {BEN}
    assert content(repo, head, "g") == (BODY + "tail\n").encode()
    assert refs.find_branch(repo, "side") == three


def test_rebase_leaves_a_linear_branch_alone_and_drops_merges_and_duplicates(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"a": "1\n"})
    one = build.commit("side", {"b": "1\n"}, "one", parents=[base])
    assert rebase(repo, one, base, BEN) == one

    target = build.commit("main", {"c": "1\n"})
    merge = build.commit("side", {"c": "1\n"}, "merge", parents=[one, target])
    head = rebase(repo, merge, target, BEN)
    assert objects.get_commit(repo, head).parent_ids == (target,)
    assert objects.get_commit(repo, head).message == "one"

    same = build.commit("main", {"b": "1\n"}, "the same change")
    assert rebase(repo, one, same, BEN) == same


def test_rebase_stops_at_a_conflict(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"a": "1\n"})
    source = build.commit("side", {"a": "2\n"}, parents=[base])
    target = build.commit("main", {"a": "3\n"})

    with pytest.raises(MergeConflict) as conflict:
        rebase(repo, source, target, BEN)

    assert conflict.value.paths == ("a",)


def test_a_source_in_a_fork_is_fetched_first(storages: Storages, repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1\n"})
    fork = storages.fork(repo, "second", 2)
    source = Builder(fork).commit("side", {"b": "1\n"}, parents=[refs.find_branch(fork, "main") or ""])
    target = build.commit("main", {"c": "1\n"})

    transfer.fetch_commit(fork, repo, source, "refs/merge-requests/1/head")

    assert refs.find_ref(repo, "refs/merge-requests/1/head") == source
    assert check_merge(repo, target, source).can_merge
    with pytest.raises(RevisionNotFound):
        transfer.fetch_commit(fork, repo, "1" * 40)
