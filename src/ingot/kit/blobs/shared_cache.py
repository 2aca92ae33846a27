"""What one process worked out and others need too, such as coloured code: the level below a process's own memory.

It may forget everything, and neither fails nor delays its callers: reading has a moment, writing happens beside them,
and a store that does not answer is left alone for some seconds. Names and content are signed with the instance's
secret: nobody can tell from a name what it stands for, and what is cut, foreign or stored below another name is not
used. Ask only for what the visitor may read: a name made of the whole input is known to those who have the input.
"""

import hashlib
import hmac
import threading
from time import monotonic

from ingot.kit.blobs import passing
from ingot.kit.blobs.errors import BlobMissing, StoreFull, StoreUnavailable
from ingot.kit.blobs.store import BlobStore

FOLDER = f"{passing.PREFIX}derived/"
LONGEST_READ = 0.1  # seconds; a page waits 0.15 for its colours
PAUSE = 5.0  # seconds
MOST_WRITES = 2  # at a time; what comes meanwhile is not stored
LARGEST = 4 << 20  # bytes of an object
_MAC = hashlib.sha256().digest_size


class SharedCache:
    """Derived bytes by the input that they were derived from. Called from threads."""

    def __init__(
        self, blobs: BlobStore, secret: str, *, longest_read: float = LONGEST_READ, pause: float = PAUSE
    ) -> None:
        self._blobs = blobs
        self._longest_read, self._pause = longest_read, pause
        self._secret = hmac.digest(secret.encode(), b"shared cache", "sha256")
        self._writes = threading.BoundedSemaphore(MOST_WRITES)
        self._next_read = self._next_write = 0.0

    def find(self, kind: str, source: bytes) -> bytes | None:
        """What was stored for this input; None where there is nothing, or the store does not answer soon."""
        if monotonic() < self._next_read:
            return None
        key = self._key(kind, source)
        try:
            stored = self._blobs.read_within(key, LARGEST, self._longest_read)
        except BlobMissing:
            return None
        except StoreUnavailable:
            self._next_read = monotonic() + self._pause
            return None
        from isal import isal_zlib

        mac, packed = stored[:_MAC], stored[_MAC:]
        return isal_zlib.decompress(packed) if hmac.compare_digest(mac, self._mac(key, packed)) else None

    def put(self, kind: str, source: bytes, content: bytes) -> None:
        """Store it beside the caller, if the store takes it."""
        if monotonic() < self._next_write or not self._writes.acquire(blocking=False):
            return
        key = self._key(kind, source)
        # No daemon: the end of the process waits for it, since the library must not be stopped in the middle.
        thread = threading.Thread(target=self._write, args=(key, content), name="shared-cache")
        try:
            thread.start()
        except RuntimeError:  # the process has no room for another
            self._writes.release()

    def _write(self, key: str, content: bytes) -> None:
        from isal import isal_zlib

        try:
            packed = isal_zlib.compress(content, 1)
            if _MAC + len(packed) <= LARGEST:
                self._blobs.put(key, self._mac(key, packed) + packed)
        except (StoreFull, StoreUnavailable):
            self._next_write = monotonic() + self._pause
        finally:
            self._writes.release()

    def _key(self, kind: str, source: bytes) -> str:
        return f"{FOLDER}{kind}/{hmac.digest(self._secret, source, 'sha256').hex()}"

    def _mac(self, key: str, packed: bytes) -> bytes:
        return hmac.digest(self._secret, key.encode() + b"\0" + packed, "sha256")
