import base64
from concurrent.futures import ThreadPoolExecutor

import pytest

from ingot.gitstore import errors, objects, refs
from ingot.gitstore.commit import CommitOptions, FileAction, create_commit
from ingot.gitstore.log import LogQuery, count
from ingot.gitstore.model import ZERO_ID, Person
from ingot.gitstore.pick import cherry_pick, revert
from ingot.gitstore.repository import Repository
from ingot.gitstore.storage import Storages
from tests.gitstore.conftest import ANNA, BEN, Builder


def options(*actions: FileAction, branch: str = "main", **more: object) -> CommitOptions:
    return CommitOptions(branch=branch, message="Made", actions=actions, author=ANNA, **more)  # type: ignore[arg-type]


def content(repo: Repository, sha: str, path: str) -> bytes | None:
    blob = objects.find_blob(repo, sha, path)
    return None if blob is None else blob.content


def test_the_first_commit_of_an_empty_repository_makes_the_branch(repo: Repository) -> None:
    created = create_commit(repo, options(FileAction("create", "docs/a.txt", "hello")))

    assert created.old == ZERO_ID
    assert refs.find_branch(repo, "main") == created.sha
    assert content(repo, created.sha, "docs/a.txt") == b"hello"
    assert objects.get_commit(repo, created.sha).parent_ids == ()


def test_large_files_and_folders_are_written_by_git(repo: Repository, build: Builder) -> None:
    names = [f"folder/{number:0150}" for number in range(4_000)]  # above the half megabyte that is written in process
    large = bytes(range(256)) * 4_000

    create_commit(repo, options(*(FileAction("create", name, "x") for name in names)))
    created = create_commit(repo, options(FileAction("create", "folder/large", large)))

    assert content(repo, created.sha, "folder/large") == large
    assert content(repo, created.sha, names[-1]) == b"x"
    assert len(build.git("ls-tree", "--name-only", f"{created.sha}:folder").splitlines()) == 4_001
    assert build.git("fsck", "--strict") == ""
    assert not list((repo.path / "objects").glob("tmp_*"))


def test_all_actions_in_one_commit(repo: Repository, build: Builder) -> None:
    parent = build.commit("main", {"edit": "1", "gone/only": "x", "old": "moved", "run": "#!", "keep/k": "k"})

    created = create_commit(repo, options(
        FileAction("create", "/new/bin", base64.b64encode(b"\0\xff").decode(), encoding="base64"),
        FileAction("update", "edit", "2"),
        FileAction("delete", "gone/only"),
        FileAction("move", "keep/new", previous_path="old"),
        FileAction("chmod", "run", execute_filemode=True),
        FileAction("create", "x.sh", "", execute_filemode=True),
        FileAction("update", "x.sh", "later", execute_filemode=None),
    ))  # fmt: skip

    entries = {e.path: e.mode for e in objects.list_tree(repo, created.sha, recursive=True) if e.type == "blob"}
    assert entries == {
        "edit": "100644", "keep/k": "100644", "keep/new": "100644", "new/bin": "100644",
        "run": "100755", "x.sh": "100755",
    }  # fmt: skip
    assert content(repo, created.sha, "new/bin") == b"\0\xff"
    assert content(repo, created.sha, "keep/new") == b"moved"
    assert content(repo, created.sha, "x.sh") == b"later"
    assert objects.get_commit(repo, created.sha).parent_ids == (parent,)
    assert repo.git("fsck", "--strict").code == 0


REFUSALS = [
    (FileAction("create", "edit", "x"), errors.FileAlreadyExists, "A file with this name already exists"),
    (FileAction("create", "dir", "x"), errors.DirectoryAlreadyExists, "A directory with this name already exists"),
    (FileAction("create", "edit/below", "x"), errors.FileAlreadyExists, "A file with this name already exists"),
    (FileAction("update", "nope", "x"), errors.FileDoesNotExist, "A file with this name doesn't exist"),
    (FileAction("update", "dir", "x"), errors.FileDoesNotExist, "A file with this name doesn't exist"),
    (FileAction("delete", "nope"), errors.FileDoesNotExist, "A file with this name doesn't exist"),
    (
        FileAction("chmod", "nope", execute_filemode=True),
        errors.FileDoesNotExist,
        "A file with this name doesn't exist",
    ),
    (FileAction("move", "n", previous_path="nope"), errors.FileDoesNotExist, "A file with this name doesn't exist"),
    (
        FileAction("move", "dir/f", previous_path="edit"),
        errors.FileAlreadyExists,
        "A file with this name already exists",
    ),
    (FileAction("move", "n"), errors.CommitRefused, "You must provide a previous path"),
    (FileAction("create", "../x", "x"), errors.InvalidPath, "invalid path: '../x'"),
    (FileAction("create", "a/.GIT/config", "x"), errors.InvalidPath, "invalid path: 'a/.GIT/config'"),
    (FileAction("create", "", "x"), errors.InvalidPath, "invalid path: ''"),
    (FileAction("create", "a//b", "x"), errors.InvalidPath, "invalid path: 'a//b'"),
    (FileAction("create", "a\0b", "x"), errors.InvalidPath, "invalid path: 'a\0b'"),
    (FileAction("create", "n", "a", encoding="base64"), errors.InvalidContent, "not valid in the stated encoding"),
    (FileAction("explode", "n"), errors.CommitRefused, "Unknown action 'explode'"),
]


@pytest.mark.parametrize(("action", "kind", "words"), REFUSALS)
def test_an_impossible_action_is_refused_with_its_text(
    repo: Repository, build: Builder, action: FileAction, kind: type[Exception], words: str
) -> None:
    head = build.commit("main", {"edit": "1", "dir/f": "x"})

    with pytest.raises(kind) as refusal:
        create_commit(repo, options(action))

    assert words in str(refusal.value)
    assert refs.find_branch(repo, "main") == head


def test_a_file_changed_since_it_was_read_is_not_overwritten(repo: Repository, build: Builder) -> None:
    first = build.commit("main", {"a": "1", "b": "1"})
    build.commit("main", {"b": "2"})

    create_commit(repo, options(FileAction("update", "a", "2", last_commit_id=first)))

    for action in (
        FileAction("update", "a", "3", last_commit_id=first),
        FileAction("delete", "b", last_commit_id=first),
        FileAction("move", "c", previous_path="a", last_commit_id="0" * 40),
    ):
        with pytest.raises(errors.StaleFile, match="has changed since you started editing it"):
            create_commit(repo, options(action))


def test_new_branches_start_from_a_branch_or_a_commit(repo: Repository, build: Builder) -> None:
    first = build.commit("main", {"a": "1"})
    head = build.commit("main", {"a": "2"})
    add = FileAction("create", "n", "x")

    from_branch = create_commit(repo, options(add, branch="one", start_branch="main"))
    from_sha = create_commit(repo, options(add, branch="two", start_sha=first))
    forced = create_commit(repo, options(add, branch="one", start_sha=first, force=True))
    same = create_commit(repo, options(add, branch="main", start_branch="main"))

    assert objects.get_commit(repo, from_branch.sha).parent_ids == (head,)
    assert objects.get_commit(repo, from_sha.sha).parent_ids == (first,)
    assert (forced.old, objects.get_commit(repo, forced.sha).parent_ids) == (from_branch.sha, (first,))
    assert same.old == head

    for bad, text in (
        (options(add, branch="absent"), "You can only create or edit files when you are on a branch"),
        (
            options(add, branch="two", start_branch="main"),
            "A branch called 'two' already exists. Switch to that branch in",
        ),
        (options(add, branch="x", start_sha="main"), "Invalid start_sha 'main'"),
        (options(add, branch="x", start_sha="1" * 40), f"Cannot find start_sha '{'1' * 40}'"),
        (options(add, branch="x", start_branch="absent"), "Cannot find start_branch 'absent'"),
    ):
        with pytest.raises(errors.CommitRefused) as refusal:
            create_commit(repo, bad)
        assert text in str(refusal.value)
    with pytest.raises(errors.InvalidRefName):
        create_commit(repo, options(add, branch="-x", start_branch="main"))


def test_a_commit_may_start_in_another_repository(storages: Storages, repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1"})
    fork = storages.fork(repo, "default", 2)
    ahead = Builder(fork).commit("main", {"a": "2"})

    created = create_commit(
        repo, options(FileAction("create", "n", "x"), branch="patch", start_branch="main", start_repository=fork)
    )

    assert objects.get_commit(repo, created.sha).parent_ids == (ahead,)
    assert repo.git("fsck", "--strict", "--connectivity-only").code == 0


def test_eight_threads_commit_to_one_branch_and_none_is_lost(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1"})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: create_commit(repo, options(FileAction("create", f"f{n}", "x"))), range(8)))

    head = refs.find_branch(repo, "main")
    assert head is not None
    assert count(repo, LogQuery(include=[head])) == 9
    assert len(objects.list_tree(repo, head)) == 9


def test_hostile_names_and_messages_make_a_sound_commit(repo: Repository) -> None:
    author = Person("Eve <x>\n\0tree", "", ANNA.when)

    created = create_commit(
        repo,
        CommitOptions(branch="main", message="a\0b \udcff", actions=[FileAction("create", "f", "x")], author=author),
    )

    assert repo.git("fsck", "--strict").stderr == ""
    assert objects.get_commit(repo, created.sha).author.name == "Eve xtree"


def test_a_commit_is_picked_onto_another_branch(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"a": "1\n", "b": "1\n"})
    fix = build.commit("fix", {"b": "2\n"}, "Fix b", parents=[base], author=ANNA)
    target = build.commit("main", {"a": "2\n"})

    picked = cherry_pick(repo, fix, target, BEN)

    commit = objects.get_commit(repo, picked)
    assert (commit.parent_ids, commit.author, commit.committer) == ((target,), ANNA, BEN)
    assert commit.message == f"Fix b\n\n(cherry picked from commit {fix})"
    assert (content(repo, picked, "a"), content(repo, picked, "b")) == (b"2\n", b"2\n")
    with pytest.raises(errors.PickFailed, match="cannot cherry-pick this commit automatically") as empty:
        cherry_pick(repo, fix, picked, BEN)
    assert empty.value.code == "empty"
    clash = build.commit("main", {"b": "3\n"})
    with pytest.raises(errors.PickFailed) as conflict:
        cherry_pick(repo, fix, clash, BEN)
    assert (conflict.value.code, conflict.value.paths) == ("conflict", ("b",))


def test_a_commit_and_a_merge_are_reverted(repo: Repository, build: Builder) -> None:
    base = build.commit("main", {"a": "1\n"})
    change = build.commit("main", {"a": "2\n"}, "Change a")
    side = build.commit("side", {"s": "x\n"}, parents=[base])
    merge = build.commit("main", {"s": "x\n"}, "Merge side", parents=[change, side])

    undone = revert(repo, change, merge, ANNA)
    unmerged = revert(repo, merge, undone, ANNA)

    assert objects.get_commit(repo, undone).message == f'Revert "Change a"\n\nThis reverts commit {change}'
    assert content(repo, undone, "a") == b"1\n"
    assert content(repo, unmerged, "s") is None
    with pytest.raises(errors.PickFailed, match="have been reverted"):
        revert(repo, change, undone, ANNA)
    root_undone = revert(repo, base, base, ANNA)
    assert objects.list_tree(repo, root_undone) == []
