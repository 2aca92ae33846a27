import os
import tarfile
import time
from pathlib import Path

import pytest

from ingot.gitstore import bundle, fsck, listing, refs
from ingot.gitstore.errors import BadBundle
from ingot.gitstore.repository import Repository
from ingot.gitstore.storage import Storages
from tests.gitstore.conftest import ANNA, Builder
from tests.support.bundles import write_bundle

FIXTURES = Path(__file__).parents[3] / "shared" / "fixtures" / "exports"


def test_a_bundle_carries_everything_to_an_empty_repository(
    storages: Storages, repo: Repository, build: Builder, tmp_path: Path
) -> None:
    build.commit("main", {"a": "1"})
    dev = build.commit("dev", {"b": "1"})
    refs.create_tag(repo, "v1", "main", message="one", tagger=ANNA)
    refs.update(repo, [refs.RefUpdate(f"refs/keep-around/{dev}", dev)])
    refs.update(repo, [refs.RefUpdate("refs/merge-requests/1/head", dev)])
    repo.set_default_branch("dev")
    file = tmp_path / "project.bundle"

    assert write_bundle(repo, file)
    assert file.read_bytes().startswith(b"# v2 git bundle\n")
    assert bundle.bundle_refs(file)["HEAD"] == dev
    other = storages.create("default", 2)
    assert bundle.restore_bundle(other, file) == "dev"

    expected = {k: v for k, v in listing.list_refs(repo).items() if not k.startswith("refs/merge-requests/")}
    assert listing.list_refs(other) == expected
    assert other.default_branch() == "dev"
    assert fsck.check(other).is_sound


def test_an_empty_repository_makes_no_bundle(repo: Repository, tmp_path: Path) -> None:
    assert not write_bundle(repo, tmp_path / "x.bundle")
    assert list(tmp_path.glob("x.*")) == []


def test_a_bundle_of_a_repository_whose_head_is_unborn(repo: Repository, build: Builder, tmp_path: Path) -> None:
    build.commit("only", {"a": "1"})

    assert write_bundle(repo, tmp_path / "x.bundle")
    assert "HEAD" not in bundle.bundle_refs(tmp_path / "x.bundle")


def hostile(repo: Repository, file: Path, names: list[bytes], sha: str) -> None:
    pack = repo.git("pack-objects", "--revs", "--stdout", "-q", stdin=f"{sha}\n".encode()).stdout
    header = b"".join(b"%s %s\n" % (sha.encode(), name) for name in names)
    file.write_bytes(b"# v2 git bundle\n" + header + b"\n" + pack)


def test_refs_with_hostile_names_stay_outside(
    storages: Storages, repo: Repository, build: Builder, tmp_path: Path
) -> None:
    sha = build.commit("main", {"a": "1"})
    file = tmp_path / "x.bundle"
    names = [
        b"HEAD", b"refs/heads/good", b"refs/heads/../../config", b"refs/heads/-x", b"refs/heads/a..b",
        b"refs/heads/x.lock", b"refs/heads/HEAD", b"refs/heads/good/below", b"refs/tags/ok", b"refs/tags/--force",
        b"refs/replace/" + b"1" * 40,
        b"refs/merge-requests/1/head", b"refs/notes/x", b"config", b"hooks/post-update", b"refs/heads/bad\xff",
    ]  # fmt: skip
    hostile(repo, file, names, sha)
    other = storages.create("default", 2)
    before = {path.name for path in other.path.iterdir()}

    bundle.restore_bundle(other, file)

    assert sorted(listing.list_refs(other)) == ["refs/heads/bad\ufffd", "refs/heads/good", "refs/tags/ok"]
    assert {path.name for path in other.path.iterdir()} == before


def test_a_branch_must_be_a_commit(storages: Storages, repo: Repository, build: Builder, tmp_path: Path) -> None:
    build.commit("main", {"a": "1"})
    tree = repo.git("rev-parse", "main^{tree}").text.strip()
    file = tmp_path / "x.bundle"
    pack = repo.git("pack-objects", "--revs", "--stdout", "-q", "--all", stdin=b"").stdout
    file.write_bytes(b"# v2 git bundle\n%s refs/heads/tree\n\n" % tree.encode() + pack)

    assert bundle.read_bundle(storages.create("default", 2), file) == {}


@pytest.mark.parametrize(
    "data",
    [
        b"", b"garbage", b"# v2 git bundle\n", b"# v2 git bundle\nnonsense\n\nPACK", b"# v2 git bundle\n\nNOPE",
        b"# v2 git bundle\n-%s base\n%s refs/heads/x\n\nPACK" % (b"1" * 40, b"2" * 40),
        b"# v2 git bundle\n%s refs/heads/x\n\nPACK\0\0\0\2\0\0\0\1broken" % (b"2" * 40),
        b"# v3 git bundle\n@object-format=sha256\n%s refs/heads/x\n\nPACKxxxx" % (b"2" * 40),
    ],
)  # fmt: skip
def test_a_broken_bundle_changes_no_ref(repo: Repository, tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "x.bundle"
    file.write_bytes(data)

    with pytest.raises(BadBundle) as refusal:
        bundle.read_bundle(repo, file)

    assert str(tmp_path) not in refusal.value.message
    assert listing.list_refs(repo) == {}


def test_a_bundle_with_missing_objects_is_refused(
    storages: Storages, repo: Repository, build: Builder, tmp_path: Path
) -> None:
    first = build.commit("main", {"a": "1"})
    second = build.commit("main", {"a": "2"})
    pack = repo.git("pack-objects", "--revs", "--stdout", "-q", stdin=f"{second}\n^{first}\n".encode()).stdout
    file = tmp_path / "x.bundle"
    file.write_bytes(b"# v2 git bundle\n%s refs/heads/main\n\n" % second.encode() + pack)

    with pytest.raises(BadBundle):
        bundle.read_bundle(storages.create("default", 2), file)


@pytest.mark.parametrize(
    ("result", "branch"),
    [
        ({}, None),
        ({"refs/heads/x": "1"}, "x"),
        ({"HEAD": "2", "refs/heads/a": "1", "refs/heads/z": "2"}, "z"),
        ({"HEAD": "1", "refs/heads/a": "1", "refs/heads/main": "1"}, "main"),
        ({"HEAD": "1", "refs/heads/a": "1", "refs/heads/master": "1"}, "master"),
        ({"HEAD": "9", "refs/heads/b": "1", "refs/heads/a": "1"}, "a"),
    ],
)
def test_the_default_branch_is_derived_from_head(result: dict[str, str], branch: str | None) -> None:
    assert bundle.default_branch_of(result) == branch


@pytest.mark.skipif(not FIXTURES.is_dir(), reason="needs real archives")
def test_bundles_of_real_archives_are_readable(storages: Storages, tmp_path: Path) -> None:
    read = 0
    for number, file in enumerate(sorted(FIXTURES.glob("*.tar.gz"))):
        with tarfile.open(file) as tar:
            for member in tar:
                if member.isfile() and Path(member.name).name == "project.bundle":
                    tar.extract(member, tmp_path / str(number), filter="data")
                    target = storages.create("default", 100 + number)
                    assert bundle.restore_bundle(target, tmp_path / str(number) / member.name) == "master"
                    assert fsck.check(target, full=False).is_sound
                    read += 1
    assert read > 0


def test_damage_is_found(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1"})
    assert fsck.check(repo).is_sound

    blob = repo.git("rev-parse", "main:a").text.strip()
    (repo.path / "objects" / blob[:2] / blob[2:]).unlink()

    assert not fsck.check(repo).is_sound
    assert blob in (fsck.check(Repository(repo.path), full=False).problem or "")
    assert not fsck.check(Repository(repo.path / "nowhere")).is_sound


def test_old_lock_files_go_and_young_ones_stay(repo: Repository, build: Builder) -> None:
    build.commit("main", {"a": "1"})
    old, young = repo.path / "refs/heads/main.lock", repo.path / "packed-refs.lock"
    for file in (old, young):
        file.touch()
    os.utime(old, (time.time() - 7200,) * 2)

    assert fsck.remove_stale_files(repo) == ["refs/heads/main.lock"]
    assert young.exists()


def test_tidying_keeps_everything_reachable(repo: Repository, build: Builder) -> None:
    for number in range(5):
        sha = build.commit("main", {"a": str(number)})

    fsck.tidy(repo, list)

    assert fsck.check(repo).is_sound
    assert refs.find_branch(repo, "main") == sha
    assert list((repo.path / "objects/pack").glob("*.pack"))
