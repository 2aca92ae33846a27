"""Remote archives: checks before the import is accepted, and fetching."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import Connection

from ingot.instance import application_setting
from ingot.instance.outbound import outbound_rules
from ingot.kit.errors import Failure
from ingot.kit.outbound import (
    Answer,
    BodyTooLarge,
    Limits,
    Outbound,
    OutboundFailed,
    S3Failed,
    S3Missing,
    S3Object,
    S3Source,
    UrlRefused,
    check_syntax,
    download_blocking,
    find_s3_object,
    head_blocking,
)
from ingot.kit.services import Services

MEGABYTE = 1024 * 1024
HEAD_SECONDS = 1.0
DOWNLOAD_SECONDS = 6 * 3600.0
ALLOWED = ("application/gzip",)
Report = Callable[[int, int], None]


def size_limit(conn: Connection) -> int:
    """The largest file to fetch, in bytes; 0 means any."""
    return int(application_setting(conn, "max_import_remote_file_size") or 0) * MEGABYTE


def human(size: int) -> str:
    """The limit in words: `10 GB`."""
    for unit, power in (("GB", 3), ("MB", 2), ("KB", 1)):
        if size >= 1024**power:
            amount = size / 1024**power
            return f"{amount:.0f} {unit}" if amount == int(amount) else f"{amount:.1f} {unit}"
    return f"{size} Bytes"


def checked_url(services: Services, conn: Connection, url: str) -> str:
    """The checked address, after reading the file's headers; only the first problem is reported."""
    if not url.strip():
        raise Failure(400, "File url must be a valid URL")
    rules = outbound_rules(services, conn)
    try:
        plain = str(check_syntax(url, rules))
        answer = head_blocking(Outbound(), plain, rules, Limits(total=HEAD_SECONDS, connect=HEAD_SECONDS))
    except UrlRefused as refusal:
        raise Failure(400, f"File url is blocked: {refusal.reason}") from None
    except OutboundFailed as failure:
        raise Failure(400, f"Failed to retrive headers: {failure}") from None
    if answer.status >= 400:
        raise Failure(400, f"Failed to retrive headers: the server answered {answer.status}")
    headers = {name.lower(): value for name, value in answer.headers.items()}
    if headers.get("server") == "AmazonS3" and headers.get("x-amz-request-id"):
        return plain  # pre-signed GET addresses do not sign HEAD
    check_file(conn, headers.get("content-length"), headers.get("content-type", ""))
    return plain


def check_file(conn: Connection, length: str | None, content_type: str) -> None:
    """Size and type of the file, as its server states them."""
    size = int(length) if length is not None and length.isascii() and length.isdigit() else 0
    if size < 1:
        raise Failure(400, "Content length is too small (should be at least 1 Byte)")
    limit = size_limit(conn)
    if limit and size > limit:
        raise Failure(400, f"Content length is too big (should be at most {human(limit)})")
    if content_type not in ALLOWED:
        raise Failure(400, f"Content type '{content_type}' not allowed. (Allowed: {', '.join(ALLOWED)})")


def find_in_s3(services: Services, conn: Connection, source: S3Source) -> S3Object:
    """The object, looked up with the caller's credentials, which are not kept."""
    try:
        result = asyncio.run(find_s3_object(Outbound(), source, outbound_rules(services, conn)))
    except S3Missing:
        raise Failure(400, f"File not found '{source.key}' in '{source.bucket}'") from None
    except S3Failed as failure:
        raise Failure(400, f"Failed to open '{source.key}' in '{source.bucket}': {failure}") from None
    except UrlRefused as refusal:
        raise Failure(400, f"File url is blocked: {refusal.reason}") from None
    check_file(conn, str(result.size), result.content_type)
    return result


class FetchFailed(Exception):
    """The file could not be fetched; the message is shown to the requester."""


class _Told:
    """A file that tells how much was written to it, of how much."""

    def __init__(self, file: BinaryIO, report: Report) -> None:
        self._file, self._report = file, report
        self._done = self._total = 0

    def expect(self, answer: Answer) -> None:
        """The server says how much comes, if it does."""
        length = {name.lower(): value for name, value in answer.headers.items()}.get("content-length", "")
        self._total = int(length) if length.isascii() and length.isdigit() else 0

    def write(self, data: bytes) -> int:
        self._report(self._done + len(data), self._total)
        self._done += len(data)
        return self._file.write(data)


def fetch(services: Services, url: str, target: Path, report: Report) -> int:
    """Download the archive; returns its size. `report` gets the bytes so far and those of the whole, and may raise."""
    with services.db.read() as conn:
        rules, limit = outbound_rules(services, conn), size_limit(conn)
    limits = Limits(total=DOWNLOAD_SECONDS, reply_bytes=limit or None)
    try:
        with target.open("wb") as file:
            told = _Told(file, report)
            answer: Answer = download_blocking(Outbound(), url, rules, told, limits=limits, accept=told.expect)
    except UrlRefused as refusal:
        raise FetchFailed(f"URL is blocked: {refusal.reason}") from None
    except BodyTooLarge:
        raise FetchFailed(f"The file is larger than the allowed {human(limit)}") from None
    except OutboundFailed as failure:
        raise FetchFailed(f"The file could not be fetched: {failure}") from None
    if answer.status != 200:
        raise FetchFailed(f"unsupported response downloading fragment {answer.status}")
    return target.stat().st_size
