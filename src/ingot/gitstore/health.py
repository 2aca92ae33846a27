"""How a repository lies on disk: its references, objects and indexes, read from the files without starting git."""

import os
import struct
import time
from pathlib import Path

import msgspec

from ingot.gitstore.repository import Repository

# Loose objects that nobody has touched for this long can be dropped when nothing refers to them.
STALE_SECONDS = 14 * 86_400
_HEADER = 8
_CHUNK = struct.Struct(">4sQ")
_BITMAP = struct.Struct(">4sHH")
_PACK_LIST = struct.Struct(">4sBBBBI")
HASH_CACHE, LOOKUP_TABLE = 0x4, 0x10


class References(msgspec.Struct, kw_only=True):
    """Branches, tags and others."""

    loose_count: int
    packed_size: int
    reference_backend: str = "REFERENCE_BACKEND_FILES"


class Objects(msgspec.Struct, kw_only=True):
    """Packs and single files, in bytes and numbers."""

    size: int = 0
    recent_size: int = 0
    stale_size: int = 0
    keep_size: int = 0
    packfile_count: int = 0
    reverse_index_count: int = 0
    cruft_count: int = 0
    keep_count: int = 0
    loose_objects_count: int = 0
    stale_loose_objects_count: int = 0
    loose_objects_garbage_count: int = 0


class CommitGraph(msgspec.Struct, kw_only=True):
    """The index of commits."""

    commit_graph_chain_length: int
    has_bloom_filters: bool
    has_generation_data: bool
    has_generation_data_overflow: bool


class Bitmap(msgspec.Struct, kw_only=True):
    """The index of what is reachable."""

    has_hash_cache: bool
    has_lookup_table: bool
    version: int


class PackIndex(msgspec.Struct, kw_only=True):
    """The index over several packs."""

    packfile_count: int
    version: int


class Health(msgspec.Struct, kw_only=True):
    """Everything that is known of a repository's files."""

    size: int
    references: References
    objects: Objects
    commit_graph: CommitGraph | None
    bitmap: Bitmap | None
    multi_pack_index: PackIndex | None
    multi_pack_index_bitmap: Bitmap | None
    alternates: list[str] | None
    last_full_repack: int | None  # seconds since 1970


def examine(repo: Repository) -> Health:
    """Look at the files of a repository; those that vanish meanwhile do not count."""
    folder = repo.path / "objects"
    packs = _files(folder / "pack")
    bitmaps = sorted(name for name in packs if name.endswith(".bitmap"))
    of_several = [name for name in bitmaps if name.startswith("multi-pack-index")]
    of_packs = [name for name in bitmaps if name not in of_several]
    objects = _packed(packs)
    _add_loose(folder, objects)
    return Health(
        size=sum(info.st_size for info in _below(repo.path)),
        references=References(
            loose_count=sum(1 for _ in _below(repo.path / "refs")), packed_size=_size(repo.path / "packed-refs")
        ),
        objects=objects,
        commit_graph=read_commit_graph(folder / "info"),
        bitmap=_bitmap(folder / "pack" / of_packs[0]) if of_packs else None,
        multi_pack_index=_multi_pack_index(folder / "pack" / "multi-pack-index"),
        multi_pack_index_bitmap=_bitmap(folder / "pack" / of_several[0]) if of_several else None,
        alternates=_read(folder / "info" / "alternates").decode("utf-8", "replace").split() or None,
        last_full_repack=max((int(packs[name].st_mtime) for name in of_packs), default=None),
    )


def _packed(packs: dict[str, os.stat_result]) -> Objects:
    objects = Objects()
    for name, info in packs.items():
        stem, _, kind = name.rpartition(".")
        objects.reverse_index_count += kind == "rev"
        objects.cruft_count += kind == "mtimes"
        objects.keep_count += kind == "keep"
        if kind != "pack":
            continue
        objects.packfile_count += 1
        objects.size += info.st_size
        if f"{stem}.mtimes" in packs:
            objects.stale_size += info.st_size
        else:
            objects.recent_size += info.st_size
        objects.keep_size += info.st_size if f"{stem}.keep" in packs else 0
    return objects


def _add_loose(folder: Path, objects: Objects) -> None:
    stale = time.time() - STALE_SECONDS
    for number in range(256):
        for name, info in _files(folder / f"{number:02x}").items():
            if name.startswith("tmp_"):
                objects.loose_objects_garbage_count += 1
                continue
            is_stale = info.st_mtime < stale
            objects.loose_objects_count += 1
            objects.stale_loose_objects_count += is_stale
            objects.size += info.st_size
            objects.stale_size += info.st_size if is_stale else 0
            objects.recent_size += 0 if is_stale else info.st_size


def read_commit_graph(folder: Path) -> CommitGraph | None:
    """Of a single file or of a chain of them, where the last tells what all have."""
    chain = _read(folder / "commit-graphs" / "commit-graph-chain").decode("ascii", "replace").split()
    file = folder / "commit-graphs" / f"graph-{chain[-1]}.graph" if chain else folder / "commit-graph"
    start = _read(file, 1024)
    if start[:4] != b"CGPH" or len(start) < _HEADER:
        return None
    end = _HEADER + start[6] * _CHUNK.size
    names = {name for name, _ in _CHUNK.iter_unpack(start[_HEADER:end])} if len(start) >= end else set()
    return CommitGraph(
        commit_graph_chain_length=len(chain),
        has_bloom_filters={b"BIDX", b"BDAT"} <= names,
        has_generation_data=b"GDA2" in names,
        has_generation_data_overflow=b"GDO2" in names,
    )


def _bitmap(file: Path) -> Bitmap | None:
    start = _read(file, _BITMAP.size)
    if len(start) < _BITMAP.size or start[:4] != b"BITM":
        return None
    _, version, flags = _BITMAP.unpack(start)
    return Bitmap(has_hash_cache=bool(flags & HASH_CACHE), has_lookup_table=bool(flags & LOOKUP_TABLE), version=version)


def _multi_pack_index(file: Path) -> PackIndex | None:
    start = _read(file, _PACK_LIST.size)
    if len(start) < _PACK_LIST.size or start[:4] != b"MIDX":
        return None
    _, version, _, _, _, packs = _PACK_LIST.unpack(start)
    return PackIndex(packfile_count=packs, version=version)


def _files(folder: Path) -> dict[str, os.stat_result]:
    figures = {}
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                try:
                    if entry.is_file(follow_symlinks=False):
                        figures[entry.name] = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue  # a packing has just replaced it
    except (FileNotFoundError, NotADirectoryError):
        pass
    return figures


def _below(folder: Path) -> list[os.stat_result]:
    return [info for place, _, _ in os.walk(folder) for info in _files(Path(place)).values()]


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


def _read(file: Path, most: int = 1 << 20) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(most)
    except (FileNotFoundError, NotADirectoryError):
        return b""
