import hashlib
from pathlib import Path

import pytest

from ingot.gitstore import refs, storage
from ingot.gitstore.errors import GitError, InvalidRefName, RepositoryExists, RepositoryNotFound, StorageAway
from ingot.gitstore.repository import Repository
from ingot.gitstore.storage import Storages
from tests.gitstore.conftest import Builder


def test_a_repository_lives_in_a_folder_named_after_the_hash_of_its_id(storages: Storages) -> None:
    repo = storages.create("second", 17, default_branch="trunk")

    digest = hashlib.sha256(b"17").hexdigest()
    assert repo.path == storages.roots["second"] / "@hashed" / digest[:2] / digest[2:4] / f"{digest}.git"
    assert repo.default_branch() == "trunk"
    assert repo.is_empty()
    assert repo.exists()
    assert repo.git("rev-parse", "--is-bare-repository").text.strip() == "true"


def test_creating_twice_is_refused(storages: Storages) -> None:
    storages.create("default", 1)

    with pytest.raises(RepositoryExists):
        storages.create("default", 1)


def test_an_unknown_storage_is_named_in_the_error(storages: Storages) -> None:
    with pytest.raises(GitError, match="'third'"):
        storages.repository("third", 1)


def test_a_default_branch_that_looks_like_an_option_is_refused(storages: Storages) -> None:
    with pytest.raises(InvalidRefName):
        storages.create("default", 1, default_branch="--template=x")


def test_deleting_leaves_nothing_and_can_be_repeated(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1"})
    other_handle = Repository(repo.path)

    storage.delete(repo)
    storage.delete(repo)

    assert list(repo.path.parent.iterdir()) == []
    with pytest.raises(RepositoryNotFound):
        other_handle.git("rev-parse", "HEAD")
    with pytest.raises(RepositoryNotFound):
        _ = other_handle.odb


def test_a_fork_has_the_branches_and_tags_and_survives_its_source(
    storages: Storages, repo: Repository, build: Builder
) -> None:
    head = build.commit("main", {"a": "1"})
    refs.create_tag(repo, "v1", "main")
    secret = build.commit("gone", {"secret": "x"})
    refs.update(repo, [refs.RefUpdate(f"refs/keep-around/{secret}", secret)])
    refs.delete_branch(repo, "gone")

    fork = storages.fork(repo, "second", 2)
    storage.delete(repo)

    assert fork.git("for-each-ref", "--format=%(refname)").text.split() == ["refs/heads/main", "refs/tags/v1"]
    assert refs.find_branch(fork, "main") == head
    assert not (fork.path / "objects/info/alternates").exists()
    assert fork.git("fsck", "--strict").code == 0


def test_a_fork_of_an_empty_repository_is_empty(storages: Storages, repo: Repository) -> None:
    assert storages.fork(repo, "default", 2).is_empty()


def test_a_repository_is_empty_until_its_first_branch(repo: Repository, build: Builder) -> None:
    sha = build.commit("a/b", {"a": "1"})
    assert not repo.is_empty()

    repo.git("pack-refs", "--all", "--prune")
    assert not repo.is_empty()

    refs.update(repo, [refs.RefUpdate("refs/tags/v1", sha), refs.RefUpdate("refs/heads/a/b", None)])
    assert repo.is_empty()
    assert Repository(repo.path / "nowhere").is_empty()


def test_a_storage_that_cannot_be_reached_is_not_an_empty_one(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1"})
    fresh = Repository(repo.path)
    repo.path.rename(repo.path.with_suffix(".moved"))
    assert not fresh.exists()
    # A way that never ends, as the system says it of a mount without its server in other words.
    repo.path.symlink_to(repo.path)

    for ask in (fresh.exists, fresh.is_empty, lambda: refs.find_branch(fresh, "main")):
        with pytest.raises(StorageAway):
            ask()


def test_a_failed_fork_leaves_no_repository(storages: Storages, tmp_path: Path) -> None:
    with pytest.raises(GitError):
        storages.fork(Repository(tmp_path / "nowhere.git"), "default", 2)

    assert not storages.repository("default", 2).exists()


def test_the_sweep_removes_what_a_crash_left(storages: Storages, repo: Repository) -> None:
    repo.path.rename(repo.path.with_name(repo.path.name + ".deleted-1"))

    assert storages.sweep() == 0  # too young to be abandoned
    assert storages.sweep(older_than=0) == 1
    assert storages.sweep() == 0


def test_size_grows_with_the_content(repo: Repository, build: Builder) -> None:
    before = repo.size()
    build.commit("main", {"noise": bytes(range(256)) * 400})

    assert repo.size() > before > 0


def test_what_git_is_still_writing_does_not_count(repo: Repository) -> None:
    before = repo.size()
    arriving = repo.path / "objects" / "tmp_objdir-incoming-a1b2c3" / "pack"
    arriving.mkdir(parents=True)
    for place in (arriving, repo.path / "objects" / "pack"):
        (place / "tmp_pack_a1b2c3").write_bytes(bytes(100_000))
    assert repo.size() == before
