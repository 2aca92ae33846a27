"""Objects of a store as files of a backup, with the headers that the store sends for each."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

from ingot.backup.mirror import Copied
from ingot.kit.blobs import BlobMissing, BlobStore
from ingot.kit.blobs.passing import PREFIX

FOLDER = "objects"
INDEX = "objects.ndjson"


def copy_out(store: BlobStore, target: Path) -> Copied:
    """Add every object that is not there yet; nothing is removed, so that a row's object stays whatever comes first."""
    total = Copied()
    folder = target / FOLDER
    folder.mkdir(exist_ok=True)
    with (target / INDEX).open("a") as index:
        for info in store.list():
            if info.key.startswith(PREFIX):
                continue
            path = folder / info.key
            moment = info.modified.timestamp()
            is_known = path.is_file() and path.stat().st_size == info.size and path.stat().st_mtime == moment
            if not is_known:
                attributes = _fetch(store, info.key, path, moment)
                if attributes is None:
                    continue
                index.write(json.dumps({"key": info.key, "attributes": attributes}) + "\n")
            total.add(Copied(1, info.size, 0 if is_known else info.size))
    return total


def _fetch(store: BlobStore, key: str, path: Path, moment: float) -> dict[str, str] | None:
    """None where it was deleted meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    arriving = path.with_name(f"{path.name}.arriving")
    try:
        attributes = store.attributes(key)
        with arriving.open("wb") as file:
            for chunk in store.chunks(key):
                file.write(chunk)
    except BlobMissing:
        arriving.unlink(missing_ok=True)
        return None
    arriving.rename(path)
    os.utime(path, (moment, moment))
    return attributes


def copy_in(source: Path, store: BlobStore) -> None:
    """Put every object of a backup into an empty store."""
    for key, attributes in _listed(source):
        path = source / FOLDER / key
        if path.is_file():
            store.put_copy(key, path, attributes)


def _listed(source: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Each object once, as it was last seen."""
    known: dict[str, dict[str, str]] = {}
    with (source / INDEX).open() as index:
        for line in index:
            entry = json.loads(line)
            known[entry["key"]] = entry["attributes"]
    yield from known.items()
