"""Hits in files on the wire."""

from posixpath import splitext

from ingot.features.code.code_search import Hit
from ingot.kit.entity import Entity


class BlobHit(Entity):
    """Lines of a file, or the beginning of a file that was found by its path."""

    basename: str
    data: str
    path: str
    filename: str
    id: str | None
    ref: str
    startline: int
    project_id: int


def blob_hit(hit: Hit) -> BlobHit:
    """One hit."""
    return BlobHit(
        basename=splitext(hit.path)[0],
        data=hit.data or "",
        path=hit.path,
        filename=hit.path,
        id=None,
        ref=hit.ref,
        startline=hit.line,
        project_id=hit.project_id,
    )
