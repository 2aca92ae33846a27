import gzip
import io
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingot.archives.deflate import GzipWriter
from ingot.archives.pack import ArchiveWriter


def test_compressed_and_stored_parts_and_holes_make_one_gzip_file() -> None:
    raw = io.BytesIO()
    writer = GzipWriter(raw)
    writer.write(b"start " * 1000)
    hole = writer.reserve(700)
    writer.store(b"s" * 200_000)
    writer.write(b"w" * 300_000)
    writer.fill(hole, b"h" * 700)
    second = writer.reserve(5)
    writer.fill(second, b"later")
    writer.store(b"")
    writer.close()

    expected = b"start " * 1000 + b"h" * 700 + b"s" * 200_000 + b"w" * 300_000 + b"later"
    assert gzip.decompress(raw.getvalue()) == expected
    assert 200_000 < len(raw.getvalue()) < 210_000


def test_a_hole_takes_exactly_its_bytes() -> None:
    writer = GzipWriter(io.BytesIO())
    hole = writer.reserve(3)
    with pytest.raises(ValueError, match="do not fit"):
        writer.fill(hole, b"four")


def test_system_tools_read_the_archive_and_long_names_keep_their_length(tmp_path: Path) -> None:
    file = tmp_path / "a.tar.gz"
    long = f"uploads/{'a' * 32}/{'n' * 200} ä.txt"
    with file.open("wb") as target, ArchiveWriter(target) as writer:
        writer.add_bytes("VERSION", b"0.2.4")
        assert writer.add_chunks("project.bundle", [b"x" * 1000, b"y" * 999], packed=True) == 1999
        assert writer.add_chunks(long, iter([])) == 0
        writer.add_chunks(long[:-4], [b"z"])

    subprocess.run(["gzip", "-t", str(file)], check=True)
    subprocess.run(["tar", "-xzf", str(file), "-C", str(tmp_path)], check=True)
    assert (tmp_path / "project.bundle").read_bytes() == b"x" * 1000 + b"y" * 999
    assert (tmp_path / long).read_bytes() == b""
    assert (tmp_path / long[:-4]).read_bytes() == b"z"
    assert len(gzip.decompress(file.read_bytes())) % tarfile.RECORDSIZE == 0


def test_a_source_that_is_missing_leaves_no_trace() -> None:
    def missing() -> Iterator[bytes]:
        raise LookupError
        yield b""

    raw = io.BytesIO()
    with ArchiveWriter(raw) as writer:
        with pytest.raises(LookupError):
            writer.add_chunks("avatar/x.png", missing())
        writer.add_bytes("VERSION", b"0.2.4")

    with tarfile.open(fileobj=io.BytesIO(raw.getvalue())) as tar:
        assert tar.getnames() == [".", "./VERSION"]


def test_an_archive_that_was_given_up_has_no_end() -> None:
    def broken() -> Iterator[bytes]:
        yield b"x" * 1_000_000
        raise LookupError

    raw = io.BytesIO()
    with pytest.raises(LookupError), ArchiveWriter(raw) as writer:
        writer.add_chunks("project.bundle", broken(), packed=True)
    with pytest.raises(EOFError):
        gzip.decompress(raw.getvalue())
