"""Archives made to break the unpacking: each ends as a failed import with a sentence, and nothing is left behind."""

import gzip
import io
import os
import sys
import tarfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ingot.archives.unpack import ArchiveRefused, Limits, unpack
from tests.features.transfer.project_imports.making import archive
from tests.security.bringing import bring
from tests.support.databases import Databases
from tests.support.process import ServerProcess

pytestmark = pytest.mark.costly

MEGABYTE = 1024 * 1024
MOST_GROWTH = 64 * MEGABYTE
LONG = 100 * MEGABYTE


class Places:
    """A server and its folder."""

    def __init__(self, server: ServerProcess, data: Path) -> None:
        self.server, self.data, self.count = server, data, 0

    def left_behind(self) -> list[str]:
        """What an import may have forgotten: its work, the uploaded archive, files of the project."""
        # `os.walk` does not mind folders that vanish meanwhile.
        paths = [Path(folder, name) for folder, _, names in os.walk(self.data) for name in names]
        marks = {"imports", "archive-files"}
        return [
            str(path)
            for path in paths
            if path.is_relative_to(self.data / "tmp") or marks.intersection(path.relative_to(self.data).parent.parts)
        ]

    def is_clean(self, seconds: float = 300.0) -> bool:
        """Nothing is left. The uploaded archive is removed by a job of its own, so this waits for it."""
        end = time.monotonic() + seconds
        while (left := self.left_behind()) and time.monotonic() < end:
            time.sleep(0.05)
        return left == []


@pytest.fixture(scope="module")
def places(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Places]:
    folder = tmp_path_factory.mktemp("archives")
    with ServerProcess(databases.fresh(folder), folder / "data") as server:
        warm = folder / "warm.tar.gz"
        warm.write_bytes(archive(issues=[{"iid": 1, "title": "One"}]))
        assert bring(server, warm, "warm")["import_status"] == "finished"
        yield Places(server, folder / "data")


def member(name: str, kind: bytes = tarfile.REGTYPE, content: bytes = b"", **fields: object) -> bytes:
    """One member in its raw form; its size is that of the content unless it is given."""
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, len(content)
    for field, value in fields.items():
        setattr(info, field, value)
    return info.tobuf(tarfile.GNU_FORMAT) + content + bytes(-len(content) % 512)


def pax(records: bytes, kind: bytes = tarfile.XHDTYPE) -> bytes:
    return member("head", kind, records)


def record(key: bytes, value: bytes) -> bytes:
    length = len(key) + len(value) + 3
    while len(b"%d" % length) + len(key) + len(value) + 3 != length:
        length += 1
    return b"%d %s=%s\n" % (length, key, value)


START = member("VERSION", content=b"0.2.4") + member("tree/project.json", content=b"{}")
END = bytes(1024)


def sound(*members: bytes) -> bytes:
    """A good archive with these members in its middle, gzipped."""
    return gzip.compress(START + b"".join(members) + END, 1)


def with_size(head: bytes, size: bytes) -> bytes:
    """A raw member whose size field holds these bytes, with its checksum set right."""
    changed = head[:124] + size.ljust(12, b"\0") + head[136:148] + b" " * 8 + head[156:]
    total = sum(changed[:512])
    return changed[:148] + b"%06o\0 " % total + changed[156:]


def sparse_head() -> bytes:
    """An old GNU sparse member: no bytes stored, a terabyte announced."""
    head = bytearray(member("uploads/holes", tarfile.GNUTYPE_SPARSE)[:512])
    head[386:398] = b"%011o\0" % 0
    head[398:410] = b"%011o\0" % 0
    head[483:495] = b"77777777777\0"
    return with_size(bytes(head), b"%011o\0" % 0)


SPARSE_PAX = (
    record(b"GNU.sparse.major", b"1") + record(b"GNU.sparse.minor", b"0") + record(b"GNU.sparse.realsize", b"1" * 13)
)
ATTACKS: dict[str, tuple[Callable[[], bytes], str]] = {
    "a hard link": (lambda: sound(member("x", tarfile.LNKTYPE, linkname="VERSION")), "File shares hard link"),
    "a hard link outside": (
        lambda: sound(member("x", tarfile.LNKTYPE, linkname="/etc/passwd")),
        "File shares hard link",
    ),
    "a path upwards": (lambda: sound(member("../../x", content=b"x")), "leads outside"),
    "a path upwards inside": (lambda: sound(member("a/../../x", content=b"x")), "leads outside"),
    "an absolute path": (lambda: sound(member("/tmp/x", content=b"x")), "absolute path"),
    "a backslash": (lambda: sound(member("a\\..\\x", content=b"x")), "forbidden name"),
    "a drive": (lambda: sound(member("C:x", content=b"x")), "forbidden name"),
    "an absolute path in an extended head": (
        lambda: sound(pax(record(b"path", b"/tmp/x")), member("x", content=b"x")),
        "absolute path",
    ),
    "a NUL in an extended head": (lambda: sound(pax(record(b"path", b"a\0b")), member("x")), "forbidden name"),
    "a long part": (lambda: sound(pax(record(b"path", b"n" * 300)), member("x")), "too long"),
    "a long path": (lambda: sound(pax(record(b"path", b"/".join([b"n" * 60] * 60))), member("x")), "too long"),
    "a deep path": (lambda: sound(pax(record(b"path", b"n/" * 400)), member("x")), "too long"),
    "two entries of one name": (lambda: sound(member("a", content=b"1"), member("./a", content=b"2")), "same name"),
    "a file as a folder": (lambda: sound(member("a", content=b"1"), member("a/b", content=b"2")), "file and a folder"),
    "an old sparse file": (lambda: sound(sparse_head()), "with holes"),
    "a new sparse file": (
        lambda: sound(pax(SPARSE_PAX), member("uploads/x", content=b"0\n".ljust(512, b"\0"))),
        "with holes",
    ),
    "an older sparse file": (
        lambda: sound(pax(record(b"GNU.sparse.map", b"0,1") + record(b"GNU.sparse.size", b"9" * 12)), member("x")),
        "with holes",
    ),
    "a long extended head": (lambda: sound(pax(record(b"comment", b"c" * LONG)), member("x")), "head is too long"),
    "a long head for all": (
        lambda: sound(pax(record(b"comment", b"c" * LONG), tarfile.XGLTYPE), member("x")),
        "head is too long",
    ),
    "a long GNU name": (
        lambda: sound(member("././@LongLink", tarfile.GNUTYPE_LONGNAME, b"n" * LONG)),
        "head is too long",
    ),
    "a long GNU link": (
        lambda: sound(member("././@LongLink", tarfile.GNUTYPE_LONGLINK, b"n" * LONG)),
        "head is too long",
    ),
    "many extended heads": (lambda: sound(pax(record(b"comment", b"c" * 60_000)) * 2000, member("x")), "damaged"),
    "a negative size": (lambda: sound(with_size(member("x"), b"\xff" * 12)), "negative size"),
    "a negative size in an extended head": (lambda: sound(pax(record(b"size", b"-512")), member("x")), "negative size"),
    "a huge size": (lambda: sound(with_size(member("x"), b"\x80" + b"\x7f" * 11)), "The archive"),
    "a huge size in an extended head": (lambda: sound(pax(record(b"size", b"9" * 18)), member("x")), "The archive"),
    "a size that is no number": (lambda: sound(with_size(member("x"), b"zzzzzzz")), "damaged"),
    "the middle of a file": (lambda: gzip.compress(START + member("x", content=b"x" * 2000)[:1000]), "The archive"),
    "the middle of the gzip": (lambda: sound(member("x", content=bytes(range(256)) * 40))[:-600], "The archive"),
    "a wrong checksum": (lambda: sound(member("x"))[:-8] + bytes(8), "size validation"),
    "no gzip": (lambda: START + END, "size validation"),
    "no tar": (lambda: gzip.compress(b"hello" * 1000), "damaged"),
    "nothing in it": (lambda: gzip.compress(b""), "The archive"),
    "a line of many values": (
        lambda: archive(files={"tree/project/issues.ndjson": b"[" + b"[]," * MEGABYTE + b"[]]\n"}),
        "JSON",
    ),
    "a line that never ends": (
        lambda: archive(files={"tree/project/issues.ndjson": b'{"title":"' + b"x" * (60 * MEGABYTE)}),
        "JSON",
    ),
    "a deep line": (lambda: archive(files={"tree/project/issues.ndjson": b"[" * 100_000 + b"]" * 100_000}), "JSON"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_the_import_fails_with_a_sentence_and_leaves_nothing(places: Places, tmp_path: Path, name: str) -> None:
    build, sentence = ATTACKS[name]
    packed = tmp_path / "attack.tar.gz"
    packed.write_bytes(build())
    places.count += 1

    record, grown = places.server.growth(lambda: bring(places.server, packed, f"attack-{places.count}"))

    sys.stdout.write(f"{name}: grew by {grown / MEGABYTE:.0f} MB\n")
    assert record["import_status"] == "failed"
    assert sentence in record["import_error"]
    assert places.is_clean()
    assert grown < MOST_GROWTH


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_are_left_out(tmp_path: Path, kind: bytes) -> None:
    packed = sound(member("uploads", kind, linkname="/etc"), member("uploads/x", content=b"x"))

    result = unpack(io.BytesIO(packed), tmp_path / "out")

    files = {str(path.relative_to(result.folder)) for path in result.folder.rglob("*") if path.is_file()}
    assert files == {"VERSION", "tree/project.json", "uploads/x"}
    assert not any(path.is_symlink() for path in result.folder.rglob("*"))


def test_many_empty_members_end_at_the_limit(tmp_path: Path) -> None:
    packed = gzip.compress(member("d/", tarfile.DIRTYPE) * 20_000 + END)

    with pytest.raises(ArchiveRefused, match="too many entries"):
        unpack(io.BytesIO(packed), tmp_path / "out", Limits(entries=10_000))


def test_many_gzip_members_are_one_stream_and_count_together(tmp_path: Path) -> None:
    parts = [gzip.compress(b"")] * 100_000 + [gzip.compress(bytes(MEGABYTE))] * 20
    packed = gzip.compress(START + END) + b"".join(parts)

    with pytest.raises(ArchiveRefused, match="size validation"):
        unpack(io.BytesIO(packed), tmp_path / "out", Limits(bytes=10 * MEGABYTE))


def test_a_gzip_bomb_ends_at_the_limit(tmp_path: Path) -> None:
    packed = sound(member("uploads/x", content=bytes(40 * MEGABYTE)))

    with pytest.raises(ArchiveRefused, match="size validation"):
        unpack(io.BytesIO(packed), tmp_path / "out", Limits(bytes=10 * MEGABYTE))
