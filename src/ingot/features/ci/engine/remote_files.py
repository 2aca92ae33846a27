"""`include:remote`: a file from another server, within the rules for outgoing calls and within narrow limits."""

import io
import threading
import time

from sqlalchemy import Connection

from ingot.features.ci.config import RemoteFailed
from ingot.instance.outbound import outbound_rules
from ingot.kit.outbound import (
    BodyTooLarge,
    Limits,
    Outbound,
    OutboundFailed,
    OutboundTimeout,
    UrlRefused,
    download_blocking,
)
from ingot.kit.services import Services

MAX_BYTES = 1_048_576
ONE, ALL = 5.0, 15.0  # seconds for one file, and for all of one configuration
# Compiling occupies a thread: slow servers must not block all of them.
_AT_ONCE = threading.BoundedSemaphore(4)


class RemoteFiles:
    """Fetches for one compilation; the same address is fetched once."""

    def __init__(self, services: Services, conn: Connection) -> None:
        self._services, self._conn = services, conn
        self._known: dict[str, str] = {}
        self._spent = 0.0

    def fetch(self, url: str) -> str:
        """The content, or `RemoteFailed` with the reason."""
        if url not in self._known:
            began = time.monotonic()
            try:
                self._known[url] = self._fetch(url, min(ONE, ALL - self._spent))
            finally:
                self._spent += time.monotonic() - began
        return self._known[url]

    def _fetch(self, url: str, seconds: float) -> str:
        rules = outbound_rules(self._services, self._conn, ("https", "http"))
        if seconds <= 0 or not _AT_ONCE.acquire(timeout=seconds):
            raise RemoteFailed("of a timeout error")
        limits = Limits(total=seconds, connect=seconds, read=seconds, redirects=3, reply_bytes=MAX_BYTES)
        file = io.BytesIO()
        try:
            answer = download_blocking(Outbound(), url, rules, file, limits=limits)
        except UrlRefused as refused:
            raise RemoteFailed(f"it is blocked: {refused.reason}") from refused
        except OutboundTimeout as slow:
            raise RemoteFailed("of a timeout error") from slow
        except BodyTooLarge as large:
            raise RemoteFailed(f"it is larger than {MAX_BYTES} bytes") from large
        except OutboundFailed as failed:
            raise RemoteFailed("of a socket error") from failed
        finally:
            _AT_ONCE.release()
        if answer.status != 200:
            raise RemoteFailed(f"of HTTP code `{answer.status}` error")
        return file.getvalue().decode("utf-8", errors="replace")
