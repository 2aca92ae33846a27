from __future__ import annotations

import io
import random
import struct
import zipfile

import pytest

from ingot.features.ci.files.zip_directory import ZipUnreadable, read_directory
from ingot.features.ci.files.zip_extraction import extract
from ingot.features.ci.files.zip_index import build_index, find_entry, list_entries, list_tree


class Memory:
    """Bytes that count how many of them were asked for."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.asked = 0

    def read(self, offset: int, length: int) -> bytes:
        self.asked += length
        return self.content[offset : offset + length]


def _zip(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED, *, wide: bool = False) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            with archive.open(zipfile.ZipInfo(name) if wide else name, "w", force_zip64=wide) as file:
                file.write(content)
    return out.getvalue()


FILES = {
    "a.txt": b"hello",
    "empty": b"",
    "folder/": b"",
    "folder/b.bin": random.Random(1).randbytes(700_000),
    "folder/deep/c.txt": b"c" * 2_000_000,
    "ünï/ödd name.txt": "ünicode".encode(),
}


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("wide", [False, True])
def test_every_file_comes_out_as_it_went_in(method: int, wide: bool) -> None:
    archive = Memory(_zip(FILES, method, wide=wide))
    index = Memory(build_index(read_directory(archive, len(archive.content))))

    for path, content in FILES.items():
        entry = find_entry(index, path)
        assert entry is not None
        assert b"".join(extract(archive, entry)) == content


def test_an_archive_written_as_a_stream_is_read_too() -> None:
    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.out = bytearray()

        def writable(self) -> bool:
            return True

        def write(self, part: bytes) -> int:  # type: ignore[override]
            self.out += part
            return len(part)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", b"streamed" * 100)
    memory = Memory(bytes(pipe.out))

    (entry,) = read_directory(memory, len(memory.content))

    assert b"".join(extract(memory, entry)) == b"streamed" * 100


def test_the_cost_of_one_file_does_not_grow_with_the_archive() -> None:
    content = _zip({f"dir/file-{number}.txt": b"x" * 50 for number in range(5_000)}, zipfile.ZIP_STORED)
    archive = Memory(content)
    index = Memory(build_index(read_directory(archive, len(content))))
    archive.asked = index.asked = 0

    entry = find_entry(index, "dir/file-4321.txt")
    assert entry is not None
    assert b"".join(extract(archive, entry)) == b"x" * 50

    assert archive.asked < 200
    assert index.asked < 2_000


@pytest.mark.parametrize("path", ["missing", "../a.txt", "/a.txt", "./a.txt", "folder", "", "a.txt/", "A.TXT"])
def test_only_exact_paths_are_found(path: str) -> None:
    archive = Memory(_zip(FILES))
    index = Memory(build_index(read_directory(archive, len(archive.content))))

    assert find_entry(index, path) is None


def test_folders_are_listed_folders_first() -> None:
    archive = Memory(_zip(FILES))
    index = Memory(build_index(read_directory(archive, len(archive.content))))
    entries = list_entries(index)

    root = list_tree(entries)
    inner = list_tree(entries, "folder")
    everything = list_tree(entries, recursive=True)

    assert root is not None
    assert inner is not None
    assert everything is not None
    assert [(node.name, node.type) for node in root] == [
        ("folder", "directory"),
        ("ünï", "directory"),
        ("a.txt", "file"),
        ("empty", "file"),
    ]
    assert [(node.path, node.size) for node in inner] == [("folder/deep", None), ("folder/b.bin", 700_000)]
    assert "folder/deep/c.txt" in {node.path for node in everything}
    assert list_tree(entries, "nowhere") is None


def test_archives_that_lie_are_refused() -> None:
    good = _zip({"a": b"hello" * 100})
    end = good.rfind(b"PK\x05\x06")
    central = good.rfind(b"PK\x01\x02")

    def patched(at: int, layout: str, value: int) -> bytes:
        out = bytearray(good)
        struct.pack_into(layout, out, at, value)
        return bytes(out)

    broken = [b"", b"PK", good[:-30], good[40:], b"x" * 100_000]
    broken += [patched(end + 10, "<H", 9), patched(end + 16, "<L", 2**31), patched(central + 42, "<L", 2**31)]
    for content in broken:
        with pytest.raises(ZipUnreadable):
            read_directory(Memory(content), len(content))

    for content in (patched(central + 24, "<L", 3), patched(central + 16, "<L", 1), patched(central + 10, "<H", 12)):
        (entry,) = read_directory(Memory(content), len(content))
        with pytest.raises(ZipUnreadable):
            list(extract(Memory(content), entry))


def test_any_damage_ends_in_a_clean_refusal() -> None:
    good = _zip({f"f{number}": b"content" * number for number in range(20)})
    chance = random.Random(7)
    for _ in range(400):
        bad = bytearray(good)
        for _ in range(chance.randint(1, 8)):
            bad[chance.randrange(len(bad))] = chance.randrange(256)
        memory = Memory(bytes(bad))
        try:
            for entry in read_directory(memory, len(bad)):
                assert sum(len(part) for part in extract(memory, entry)) == entry.size
        except ZipUnreadable:
            continue
