"""What processes share through the object store: it comes back whole or not at all, and its store may fail."""

import logging
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ingot.kit.blobs import BlobStore, S3Place, Timeouts, local_store, s3_store
from ingot.kit.blobs.folders import PASSING
from ingot.kit.blobs.passing import SMALLEST, past
from ingot.kit.blobs.shared_cache import LARGEST, SharedCache
from tests.s3_server import KEY_ID, SECRET
from tests.support.object_calls import object_calls
from tests.support.waiting import LIMIT, until

CONTENT = b"<span>coloured</span>" * 100


def patient(store: BlobStore, secret: str = "ours") -> SharedCache:
    """A cache that waits for its store as long as it takes."""
    return SharedCache(store, secret, longest_read=LIMIT)


def keys(store: BlobStore) -> list[str]:
    return sorted(info.key for info in store.list(PASSING))


def end_writes() -> None:
    """Wait for what is written beside the callers."""
    for thread in threading.enumerate():
        if thread.name == "shared-cache":
            thread.join()


def test_another_process_finds_what_was_stored_and_nothing_else(store: BlobStore) -> None:
    patient(store).put("texts", b"a text", CONTENT)
    end_writes()

    assert patient(store).find("texts", b"a text") == CONTENT
    assert patient(store).find("texts", b"another text") is None
    assert patient(store).find("last_commits", b"a text") is None
    assert patient(store, "of another instance").find("texts", b"a text") is None
    assert all(b"text" not in store.read(key) for key in keys(store))


def test_what_is_cut_changed_or_foreign_is_not_used_and_makes_room_for_the_right_one(store: BlobStore) -> None:
    cache = patient(store)
    cache.put("texts", b"one", CONTENT)
    end_writes()
    [key] = keys(store)
    stored = store.read(key)
    cache.put("texts", b"two", b"of another name")
    end_writes()
    [other] = set(keys(store)) - {key}

    for wrong in (stored[:-1], stored[:40], b"", stored[:-1] + b"x", store.read(other), CONTENT, b"x" * (LARGEST + 1)):
        store.put(key, wrong)
        assert cache.find("texts", b"one") is None

    cache.put("texts", b"one", CONTENT)
    end_writes()
    assert cache.find("texts", b"one") == CONTENT


def test_what_is_too_large_is_not_stored(tmp_path: Path) -> None:
    store = local_store(tmp_path)
    patient(store).put("texts", b"large", os.urandom(LARGEST))  # which cannot be compressed
    end_writes()
    assert keys(store) == []


@contextmanager
def silent_store() -> Iterator[tuple[BlobStore, socket.socket]]:
    """A store that accepts connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0), backlog=16) as listener:
        listener.setblocking(False)
        place = S3Place(
            "bucket", endpoint=f"http://127.0.0.1:{listener.getsockname()[1]}", access_key_id=KEY_ID,
            secret_access_key=SECRET, timeouts=Timeouts(connect=1, read=1, retries=0, retry_within=1),
        )  # fmt: skip
        yield s3_store(place), listener


def connections(listener: socket.socket) -> int:
    """How many came since this was asked last."""
    count = 0
    while True:
        try:
            listener.accept()[0].close()
        except BlockingIOError:
            return count
        count += 1


def test_a_silent_store_is_asked_once_and_then_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    with silent_store() as (store, listener), caplog.at_level(logging.INFO):
        cache = SharedCache(store, "ours", longest_read=1, pause=LIMIT)
        assert cache.find("texts", b"a text") is None
        assert connections(listener) == 1

        for _ in range(3):
            assert cache.find("texts", b"a text") is None
            cache.put("texts", b"a text", CONTENT)
            end_writes()

        assert connections(listener) == 1  # of the first write
        assert caplog.records == []


def test_a_late_answer_is_no_failure_of_the_store(store: BlobStore) -> None:
    with silent_store() as (silent, _):
        hasty = SharedCache(silent, "ours", longest_read=0.01)
        assert object_calls(lambda: hasty.find("texts", b"a text")) == {("recall", "late"): 1}
    assert object_calls(lambda: patient(store).find("texts", b"a text")) == {("recall", "missing"): 1}


def test_a_store_that_takes_its_time_holds_up_two_writes_at_most() -> None:
    with silent_store() as (store, listener):
        cache = SharedCache(store, "ours", pause=LIMIT)
        for number in range(10):
            cache.put("texts", b"%d" % number, CONTENT)
        writing = sum(thread.name == "shared-cache" for thread in threading.enumerate())
        end_writes()
        assert writing <= 2
        assert 1 <= connections(listener) <= 2


def test_a_folder_that_takes_nothing_fails_nobody(tmp_path: Path) -> None:
    (tmp_path / PASSING).write_text("a file where the folder should be")
    cache = SharedCache(local_store(tmp_path), "ours", pause=0)
    for _ in range(2):
        assert cache.find("texts", b"a text") is None
        cache.put("texts", b"a text", CONTENT)
        end_writes()
    (tmp_path / PASSING).unlink()
    cache.put("texts", b"a text", CONTENT)
    end_writes()
    assert cache.find("texts", b"a text") == CONTENT


def put_after_all_others(store: BlobStore, key: str) -> None:
    """Stores may tell time in whole seconds."""
    others = {info.modified for info in store.list(PASSING)}

    def is_newest() -> bool:
        store.put(key, b"x")
        return store.head(key).modified not in others

    until(is_newest)


def test_the_oldest_go_where_one_kind_takes_too_much_room(store: BlobStore) -> None:
    for name in ("derived/texts/old", "derived/texts/young", "derived/last_commits/younger", "pictures/one"):
        put_after_all_others(store, f"{PASSING}/{name}")

    assert set(past(store, 3 * SMALLEST)) == set()
    assert set(past(store, 2 * SMALLEST)) == {f"{PASSING}/derived/texts/old"}
    assert set(past(store, 0)) == set(keys(store))
