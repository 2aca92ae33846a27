import gzip
import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ingot.archives.lines import read_document, read_lines
from ingot.archives.pack import ArchiveWriter
from ingot.archives.unpack import ArchiveRefused, Limits, unpack

Fill = Callable[[tarfile.TarFile], None]


def archive(fill: Fill) -> io.BytesIO:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz") as tar:
        fill(tar)
    raw.seek(0)
    return raw


def entry(tar: tarfile.TarFile, name: str, data: bytes = b"x", kind: bytes = tarfile.REGTYPE, link: str = "") -> None:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, link, len(data) if kind == tarfile.REGTYPE else 0
    tar.addfile(info, io.BytesIO(data) if kind == tarfile.REGTYPE else None)


def test_what_is_packed_comes_out_again(tmp_path: Path) -> None:
    raw = io.BytesIO()
    with ArchiveWriter(raw) as writer:
        writer.add_bytes("VERSION", b"0.2.4")
        assert writer.add_lines("tree/project/issues.ndjson", [{"iid": 1}, {"iid": 2}]) == 2
        writer.add_document("tree/project/push_rule.ndjson", None)
        writer.add_folder("snippets")
    raw.seek(0)

    result = unpack(raw, tmp_path / "out").folder

    assert (result / "VERSION").read_text() == "0.2.4"
    assert list(read_lines(result / "tree/project/issues.ndjson")) == [(0, {"iid": 1}), (1, {"iid": 2})]
    assert read_document(result / "tree/project/push_rule.ndjson") is None
    assert (result / "snippets").is_dir()


@pytest.mark.parametrize(
    "fill",
    [
        lambda tar: entry(tar, "/etc/cron.d/x"),
        lambda tar: entry(tar, "a/../../x"),
        lambda tar: entry(tar, "..\\x"),
        lambda tar: entry(tar, "C:x"),
        lambda tar: entry(tar, "y" * 300),
        lambda tar: (entry(tar, "x"), entry(tar, "./x")),
        lambda tar: (entry(tar, "x"), entry(tar, "x/y")),
        lambda tar: (entry(tar, "x"), entry(tar, "y", kind=tarfile.LNKTYPE, link="x")),
    ],
)
def test_entries_that_lead_elsewhere_are_refused(fill: Fill, tmp_path: Path) -> None:
    with pytest.raises(ArchiveRefused):
        unpack(archive(fill), tmp_path / "out")


def test_links_and_devices_are_left_out(tmp_path: Path) -> None:
    def fill(tar: tarfile.TarFile) -> None:
        entry(tar, "link", kind=tarfile.SYMTYPE, link="/etc/passwd")
        entry(tar, "link/inside")
        entry(tar, "pipe", kind=tarfile.FIFOTYPE)
        entry(tar, "device", kind=tarfile.CHRTYPE)

    result = unpack(archive(fill), tmp_path / "out").folder

    assert sorted(path.name for path in result.rglob("*")) == ["inside", "link"]
    assert not (result / "link").is_symlink()


def test_bombs_end_early(tmp_path: Path) -> None:
    bomb = gzip.compress(bytes(50 * 1024 * 1024))

    with pytest.raises(ArchiveRefused, match="size validation"):
        unpack(io.BytesIO(bomb), tmp_path / "out", Limits(bytes=1024 * 1024))
    many = archive(lambda tar: [entry(tar, f"f{number}") for number in range(50)] and None)
    with pytest.raises(ArchiveRefused, match="too many entries"):
        unpack(many, tmp_path / "many", Limits(entries=20))


@pytest.mark.parametrize("damage", [lambda raw: raw[: len(raw) // 2], lambda raw: b"no gzip at all", lambda raw: b""])
def test_damage_is_told(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    good = archive(lambda tar: entry(tar, "x", bytes(range(256)) * 4000)).getvalue()

    with pytest.raises(ArchiveRefused):
        unpack(io.BytesIO(damage(good)), tmp_path / "out")


@pytest.mark.parametrize(
    "text", ["{bad", "\n", '["list"]', '"text"', json.dumps({"a": 1}) + "}", '{"a":' * 200 + "1" + "}" * 200, '"\xff"']
)
def test_broken_lines_are_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "x.ndjson"
    file.write_bytes(text.encode("latin-1"))

    with pytest.raises(ArchiveRefused, match="Incorrect JSON format"):
        list(read_lines(file))


def test_whoever_waits_can_end_an_unpacking(tmp_path: Path) -> None:
    beats = []

    def beat() -> None:
        beats.append(1)
        if len(beats) == 3:
            raise InterruptedError

    large = archive(lambda tar: entry(tar, "big", bytes(8 * 1024 * 1024)))
    with pytest.raises(InterruptedError):
        unpack(large, tmp_path / "out", beat=beat)
    assert len(beats) == 3
