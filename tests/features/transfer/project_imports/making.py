"""Archives made by hand, and importing them."""

import io
import json
import tarfile
from pathlib import Path
from typing import Any

from tests.support.bundles import write_bundle
from tests.support.world import Person, World

GOOD = {"VERSION": b"0.2.4", "tree/project.json": b'{"description":"x","visibility_level":0}'}
MOMENT = "2024-02-01T09:00:00.000Z"


def tarball(files: dict[str, bytes]) -> bytes:
    """The files as a `.tar.gz`."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz") as tar:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return raw.getvalue()


def ndjson(*records: Any) -> bytes:
    """One record per line."""
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def archive(root: dict[str, Any] | None = None, files: dict[str, bytes] | None = None, **relations: Any) -> bytes:
    """A sound archive with these relations: lists are lines, an object stands alone."""
    tree = {
        f"tree/project/{name}.ndjson": ndjson(*value) if isinstance(value, list) else json.dumps(value).encode()
        for name, value in relations.items()
    }
    document = json.dumps({"description": "x", "visibility_level": 0, **(root or {})}).encode()
    return tarball({**GOOD, "tree/project.json": document, **tree, **(files or {})})


def bundle_of(world: World, project: dict[str, Any], folder: Path) -> bytes:
    """The project's repository as archives hold it."""
    place = folder / "made.bundle"
    place.unlink(missing_ok=True)
    assert write_bundle(world.repository(project), place)
    return place.read_bytes()


def upload(person: Person, content: bytes, filename: str = "archive.tar.gz", **fields: Any) -> Any:
    """The answer to an import."""
    return person.client.post("/projects/import", data=fields, files={"file": (filename, content, "application/gzip")})


def imported(world: World, person: Person, content: bytes, **fields: Any) -> dict[str, Any]:
    """The import record after the work is done."""
    fields.setdefault("path", world.name("imported"))
    reply = upload(person, content, **fields)
    assert reply.status_code == 201, reply.text
    assert reply.json()["import_status"] == "scheduled"
    assert "import_error" not in reply.json()
    world.run_jobs()
    result: dict[str, Any] = person.client.ok("GET", f"/projects/{reply.json()['id']}/import")
    return result


def exported(world: World, person: Person, project_id: int) -> bytes:
    """The archive of a project."""
    person.client.ok("POST", f"/projects/{project_id}/export")
    world.run_jobs()
    return person.client.get(f"/projects/{project_id}/export/download").content


def files_of(content: bytes) -> dict[str, bytes]:
    """Every file of an archive."""
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as tar:
        return {m.name.removeprefix("./"): tar.extractfile(m).read() for m in tar if m.isfile()}  # type: ignore[union-attr]


def relation(content: bytes, name: str) -> list[dict[str, Any]]:
    """The records of one relation of an archive."""
    text = files_of(content)[f"tree/project/{name}.ndjson"]
    return [json.loads(line) for line in text.splitlines()]
