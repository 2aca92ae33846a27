"""What an uploaded artifact holds: the index of an archive, a dotenv report's variables, JUnit's cases."""

import gzip
import io
import struct
import zlib

import msgspec
from sqlalchemy import Connection

from ingot.features.ci.files import (
    DotenvRefused,
    TestSuite,
    ZipEntry,
    ZipUnreadable,
    build_index,
    check_dotenv_size,
    parse_dotenv,
    read_directory,
    summarise,
)
from ingot.features.ci.job_artifacts.upload import Upload
from ingot.features.ci.job_outputs import BlobRange, read_junit
from ingot.features.instance.plan_limits import limit_of
from ingot.kit.services import Services

_MAX_JUNIT = 8 * 1024 * 1024  # packed
_MAX_UNPACKED = 24 * 1024 * 1024
JUNIT_TOO_LARGE = "JUnit data parsing failed: the report is too large"
_METADATA_HEADER = "GitLab Build Artifacts Metadata 0.0.2\n"


class Contents(msgspec.Struct, frozen=True):
    """Only what the type has."""

    index: bytes | None = None
    metadata: bytes | None = None
    variables: dict[str, str] | None = None
    suite: TestSuite | None = None


class TooMuch(Exception):
    """It unpacks to more than the limit."""


def read_contents(services: Services, conn: Connection, upload: Upload, key: str, size: int) -> Contents:
    """Read the stored object. Raises `DotenvRefused`; archives and reports that cannot be read are kept as they are."""
    match upload.file_type:
        case "archive":
            return _archive(services, key, size)
        case "dotenv":
            check_dotenv_size(size, limit_of(conn, "dotenv_size"))
            return Contents(variables=_dotenv(services.blobs.read(key), limit_of(conn, "dotenv_variables")))
        case "junit":
            if size > _MAX_JUNIT:
                return Contents(suite=summarise(upload.job_name, (), JUNIT_TOO_LARGE))
            return Contents(suite=_junit(upload.job_name, services.blobs.read(key)))
        case _:
            return Contents()


def _archive(services: Services, key: str, size: int) -> Contents:
    try:
        entries = read_directory(BlobRange(services.blobs, key), size)
    except ZipUnreadable:
        return Contents()
    return Contents(index=build_index(entries), metadata=_metadata(entries))


def _metadata(entries: list[ZipEntry]) -> bytes:
    """The list of entries as clients of GitLab know it: texts with their length before them."""
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", mtime=0) as packed:
        for text in (_METADATA_HEADER, "{}"):
            _write(packed, text.encode())
        for entry in sorted(entries, key=lambda one: one.path):
            facts = {"size": entry.size, "mode": f"{entry.mode:o}", "crc": entry.crc, "zipped": entry.packed_size}
            _write(packed, entry.path.encode("utf-8", "surrogateescape"))
            _write(packed, msgspec.json.encode(facts))
    return out.getvalue()


def _write(packed: gzip.GzipFile, text: bytes) -> None:
    packed.write(struct.pack(">I", len(text)) + text)


def _dotenv(content: bytes, max_variables: int) -> dict[str, str]:
    try:
        return parse_dotenv(b"\n".join(members(content)), max_variables)
    except (zlib.error, TooMuch) as error:
        raise DotenvRefused("Invalid Format") from error


def _junit(name: str, content: bytes) -> TestSuite:
    try:
        return read_junit(name, members(content))
    except zlib.error:
        return summarise(name, (), "JUnit XML parsing failed: the report is not gzip")
    except TooMuch:
        return summarise(name, (), JUNIT_TOO_LARGE)


def members(content: bytes) -> list[bytes]:
    """The files of a gzip report: runners put several into one stream, one after another."""
    result, room = [], _MAX_UNPACKED
    while content:
        unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
        result.append(unpack.decompress(content, room + 1))
        if not unpack.eof and not unpack.unconsumed_tail:
            raise zlib.error("cut off")
        room -= len(result[-1])
        if room < 0 or unpack.unconsumed_tail:
            raise TooMuch
        content = unpack.unused_data
    return result
