"""Uploads in archives of projects: `uploads/<secret>/<file>`, under the same secret after an import."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import select

from ingot.archives.walk import files_below
from ingot.features.transfer.uploads.commands import Arriving, keep
from ingot.features.transfer.uploads.owners import Owner
from ingot.features.transfer.uploads.queries import find_by_secret
from ingot.features.transfer.uploads.tables import uploads
from ingot.kit.patterns import pattern
from ingot.kit.services import Services

# Older archives have shorter secrets.
UPLOAD_PATH = pattern(r"uploads/([0-9a-f]{10,32})/([^/]{1,255})")
_CHUNK = 1024 * 1024


def store_uploads(services: Services, project_id: int, folder: Path, user_id: int | None) -> set[str]:
    """Store the files of an unpacked archive as uploads; returns their paths. A second attempt resumes."""
    owner = Owner("project", project_id)
    taken = set()
    for path in files_below(folder / "uploads"):
        name = path.relative_to(folder).as_posix()
        match = UPLOAD_PATH.fullmatch(name)
        if match is None:
            continue
        _store(services, owner, path, match[1], user_id)
        taken.add(name)
    return taken


def _store(services: Services, owner: Owner, path: Path, secret: str, user_id: int | None) -> None:
    with services.db.read() as conn:
        if find_by_secret(conn, owner, secret, path.name) is not None:
            return
    with path.open("rb") as file:
        head = file.read(16)
        file.seek(0)
        chunks = iter(lambda: file.read(_CHUNK), b"")
        keep(services, owner, Arriving(secret, path.name, head, chunks), user_id)


def uploads_of_project(services: Services, project_id: int) -> Iterator[tuple[str, Any]]:
    """Path in the archive and row of every upload, a page at a time."""
    last = 0
    while True:
        mine = Owner("project", project_id).mine()
        page = select(uploads).where(mine, uploads.c.id > last).order_by(uploads.c.id).limit(500)
        with services.db.read() as conn:
            rows = conn.execute(page).all()
        if not rows:
            return
        yield from ((f"uploads/{row.secret}/{row.filename}", row) for row in rows)
        last = rows[-1].id
