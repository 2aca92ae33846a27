"""What can go wrong with the object store, and how the library's errors become ours."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from obstore.exceptions import BaseError

from ingot.kit import tallies
from ingot.kit.times import note

# ENOSPC, EDQUOT and EFBIG of a local folder; the words of S3 servers that are out of room.
_FULL = re.compile(
    r"os error (28|122|27)\)|status code: 507|StorageFull|QuotaExceeded|InsufficientStorage|[Nn]o space left"
)
_CODE = re.compile(r"<Code>(\w+)</Code>")
# An answer that no later try will change: the operator must.
_REASONS = {
    "has no such bucket": re.compile(r"NoSuchBucket"),
    "received different data than was sent": re.compile(r"XAmzContentSHA256Mismatch|BadDigest"),
    "reported an internal error": re.compile(r"InternalError"),
    "rejected the credentials, or they lack permissions": re.compile(
        r"InvalidAccessKeyId|UserNotFound|SignatureDoesNotMatch|AccessDenied|status code: 40[13]"
    ),
}
# To a write: of all that it asks for, the checksum is what some stores do not know.
_NOT_OFFERED = re.compile(r"<Code>NotImplemented</Code>|status code: 501")
_PERHAPS_CHECKSUMS = "does not offer what a write asks for; if it refuses checksums, set s3_checksums to false"
_BEYOND_THE_END = re.compile(r"InvalidRange|status code: 416")


class BlobMissing(Exception):
    """There is no object with this key."""

    def __init__(self, key: str) -> None:
        super().__init__(f"no object {key}")
        self.key = key


class BlobTooLarge(Exception):
    """The stream was longer than allowed; nothing was stored."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"larger than {limit} bytes")
        self.limit = limit


class StoreUnavailable(Exception):
    """The object store does not respond; try again later."""

    status = 503
    retry_after = 10
    sentence = "The object store did not respond."

    def __init__(self, why: str = "does not respond") -> None:
        """The reason is for operators; callers learn the sentence."""
        super().__init__(type(self).__doc__)
        self.why = why


class TooLate(StoreUnavailable):
    """The object store did not answer within the moment that its caller has. It may be well."""


class UploadLost(StoreUnavailable):
    """The object store acknowledged an upload and does not have the object."""

    sentence = "The object store lost uploaded data."

    def __init__(self) -> None:
        super().__init__("acknowledged an upload and does not have the object")


class StoreFull(Exception):
    """The object store has no room left."""

    status = 507

    def __init__(self) -> None:
        super().__init__(type(self).__doc__)


class BeyondTheEnd(Exception):
    """The requested range begins after the last byte."""


# Answers of a store that is well, or may be.
_RESULTS: dict[type[Exception], str] = {BlobMissing: "missing", BeyondTheEnd: tallies.OK, TooLate: "late"}


class Source(Protocol):
    """A stream being stored, which remembers its own failure."""

    failure: Exception | None


@contextmanager
def translated(
    key: str, source: Source | None = None, *, doing: str = "get", continued: bool = False
) -> Iterator[None]:
    """Turn the library's errors into ours; the cause keeps the detail for the log. Note how long it took.

    A failure of the stream being stored is the caller's, and passes unchanged. `continued`: the call was noted when
    the store answered it, so that only its failure is still to be noted.
    """
    begun = time.perf_counter()
    result = tallies.CANCELLED  # also where the reader of a stream leaves it
    try:
        yield
        result = tallies.OK
    except Exception as error:
        if source is not None and source.failure is not None:
            raise source.failure from None
        known = _translated(key, error, doing)
        result = _RESULTS.get(type(known or error), tallies.FAILED)
        if known is not None:
            raise known from error
        raise
    finally:
        if not continued or result == tallies.FAILED:
            note(tallies.OBJECT, doing, time.perf_counter() - begun, result)


def _translated(key: str, error: Exception, doing: str) -> Exception | None:
    if not isinstance(error, BaseError | OSError):
        return None
    text = str(error)
    # Stores answer 404 also for a bucket or an access key that they do not know. To HEAD they give no code.
    code = _CODE.search(text)
    if isinstance(error, FileNotFoundError) and (code is None or code[1] == "NoSuchKey"):
        return BlobMissing(key)
    if _FULL.search(text):
        return StoreFull()
    if _BEYOND_THE_END.search(text):
        return BeyondTheEnd()
    if doing == "put" and _NOT_OFFERED.search(text):
        return StoreUnavailable(_PERHAPS_CHECKSUMS)
    return StoreUnavailable(next((why for why, words in _REASONS.items() if words.search(text)), "does not respond"))
