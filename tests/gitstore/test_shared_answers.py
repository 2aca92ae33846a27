"""What git took long for is found in the object store by other processes, and after a start."""

import threading
import zlib
from pathlib import Path

import pytest

from ingot.gitstore.authors import Authors, authors
from ingot.gitstore.blame import SHARED
from ingot.gitstore.repository import Repository
from ingot.gitstore.storage import Storages
from ingot.kit.blobs import local_store
from ingot.kit.blobs.shared_cache import SharedCache
from tests.gitstore.blaming import blame
from tests.gitstore.conftest import ANNA, BEN, Builder
from tests.support.waiting import LIMIT


class Recording(SharedCache):
    """Notes the names of what is stored."""

    def __init__(self, folder: Path) -> None:
        super().__init__(local_store(folder), "ours", longest_read=LIMIT)
        self.names: list[bytes] = []

    def put(self, kind: str, source: bytes, content: bytes) -> None:
        self.names.append(source)
        super().put(kind, source, content)
        for thread in threading.enumerate():
            if thread.name == "shared-cache":
                thread.join()


@pytest.fixture
def cache(tmp_path: Path) -> Recording:
    return Recording(tmp_path / "objects")


def test_authors_are_read_once_for_all_processes(
    repo: Repository, build: Builder, storages: Storages, cache: Recording
) -> None:
    build.commit("side", {"a.txt": "1"}, author=ANNA)
    sha = build.commit("side", {"a.txt": "2"}, author=BEN)
    counted = authors(repo, sha, cache, slow=0)
    elsewhere = storages.create("second", 1)  # has none of the commits, so git could not answer
    assert (elsewhere.path.name, elsewhere.path == repo.path) == (repo.path.name, False)

    shared = authors(elsewhere, sha, cache)

    def facts(people: Authors) -> list[tuple[str, str, list[int], bytes]]:
        return [(one.name, one.email, list(one.times), one.written) for one in people]

    assert facts(shared) == facts(counted)
    assert [one.name for one in shared] == [BEN.name, ANNA.name]


def test_blame_is_asked_once_for_all_processes(repo: Repository, build: Builder, cache: Recording) -> None:
    sha = build.commit("main", {"f.txt": "one\ntwo\n"})
    [part] = blame(repo, sha, "f.txt", shared=cache, slow=0)
    [name] = cache.names
    stored = zlib.decompress(cache.find(SHARED, name) or b"")

    cache.put(SHARED, name, zlib.compress(stored.replace(b"\ttwo", b"\ttwo from the store")))
    [shared] = blame(repo, sha, "f.txt", shared=cache)

    assert part.lines == ("one", "two")
    assert (shared.commit, shared.lines) == (part.commit, ("one", "two from the store"))


def test_what_git_answers_at_once_is_not_stored(repo: Repository, build: Builder, cache: Recording) -> None:
    sha = build.commit("main", {"f.txt": "one\n"})

    blame(repo, sha, "f.txt", shared=cache, slow=LIMIT)
    authors(repo, sha, cache, slow=LIMIT)

    assert cache.names == []
