"""The files of a revision as one archive."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from starlette.responses import Response

from ingot.access.call import Call
from ingot.access.policy import DOWNLOAD_CODE
from ingot.features.code.lfs_objects import find_objects, has_any
from ingot.features.code.repository.opening import default_branch, offers_large_files, open_repository
from ingot.features.code.repository.params.trees import Archive
from ingot.features.code.repository.sending import send_chunks
from ingot.gitstore import revisions
from ingot.gitstore.archive import CONTENT_TYPES, FORMATS, archive
from ingot.gitstore.errors import PathNotFound
from ingot.gitstore.filled_archive import LargeFile, Options, filled_archive
from ingot.gitstore.objects import find_entry
from ingot.instance.throttling import limit_endpoint
from ingot.kit.downloads import attachment, etag_matches, tag_of_ids
from ingot.kit.endpoint import Answer, Binary, Routes
from ingot.kit.errors import NotFound, ParamError

routes = Routes("Repositories", guard=DOWNLOAD_CODE, guard_first=True, params=Archive, returns=Binary(), errors=(406,))
PATH = "/projects/{id}/repository/archive"
USUAL = "tar.gz"
PER_MINUTE = 5  # of one project, for one caller, where rate limits are on
ALIASES = frozenset(kind for kind, chosen in FORMATS.items() if kind != chosen)


def _declare(kind: str) -> None:
    """One address per format; the bare one is the usual."""

    async def get_archive(call: Call[Archive]) -> Answer:
        """The files of a revision as an archive, streamed."""
        return await _answer(call, kind, await call.run(_open, call, kind))

    get_archive.__name__ = f"get_archive_{kind.replace('.', '_')}"
    routes.get(f"{PATH}.{kind}", hidden=kind in ALIASES)(get_archive)


@routes.get(PATH)
async def get_archive(call: Call[Archive]) -> Answer:
    """The files of a revision as a gzipped tar archive, streamed."""
    _require_known(call)
    return await _answer(call, USUAL, await call.run(_open, call, USUAL))


def _require_known(call: Call) -> None:
    """An unknown suffix reaches the bare address; it is not a format."""
    last = call.request.scope["raw_path"].decode("latin-1").partition("?")[0].rstrip("/").rpartition("/")[2]
    suffix = last.partition(".")[2]
    if suffix and suffix not in FORMATS:
        error = ParamError(f"The requested format '{suffix}' is not supported.")
        error.status = 406
        raise error


class Opened(NamedTuple):
    """An archive that git is about to write; without chunks where the caller has it already."""

    name: str
    tag: str | None
    chunks: Iterator[bytes] | None


def _open(call: Call[Archive], kind: str) -> Opened:
    project_id = call.project.id
    limit_endpoint(call, "project_repositories_archive", PER_MINUTE, scope=str(project_id), project_id=project_id)
    options = call.params
    repository = open_repository(call)
    ref = options.sha or default_branch(call, repository)
    sha = revisions.find(repository, ref)
    if sha is None:
        raise NotFound("File")
    parts = [call.project.path, ref.replace("/", "-")]
    parts += [sha] if ref != sha else []
    path = (options.path or "").strip("/")
    parts += [path.replace("/", "-")] if path else []
    name = "-".join(parts)
    chosen = Options(kind, name, path, tuple(options.exclude_paths))
    # Objects of Git LFS may come after their pointers: an archive with them can change while its commit does not.
    is_filled = options.include_lfs_blobs and _has_large_files(call)
    tag = None if is_filled else tag_of_ids(sha, FORMATS[kind], name, path, *chosen.exclude)
    if path and find_entry(repository, sha, path) is None:
        raise NotFound("File")
    if tag is not None and etag_matches(call.request.headers.get("if-none-match", ""), tag):
        return Opened(name, tag, None)
    try:
        if is_filled:
            return Opened(name, tag, filled_archive(repository, sha, chosen, partial(_find_large, call)))
        return Opened(name, tag, archive(repository, sha, kind, name, path, chosen.exclude))
    except PathNotFound:
        raise NotFound("File") from None


def _has_large_files(call: Call) -> bool:
    return offers_large_files(call) and has_any(call.conn, call.project.id)


def _find_large(call: Call, oid: str) -> LargeFile | None:
    """The object behind a pointer, if the project has it: a pointer alone opens nothing."""
    with call.services.db.read() as conn:
        row = find_objects(conn, call.project.id, [oid]).get(oid)
    blobs = call.services.blobs
    return LargeFile(row.size, partial(blobs.chunks, row.blob_key)) if row and blobs.exists(row.blob_key) else None


async def _answer(call: Call, kind: str, opened: Opened) -> Response:
    chosen = FORMATS[kind]
    file = f"{opened.name}.{chosen}"
    headers = {
        "Content-Disposition": attachment(file),
        "Cache-Control": "max-age=0, private, must-revalidate",
    }
    if opened.tag is not None:
        headers["ETag"] = f"W/{opened.tag}"
    if opened.chunks is None:
        return Response(status_code=304, headers=headers)
    if call.request.method == "HEAD":
        return Response(headers=headers, media_type=CONTENT_TYPES[chosen])
    return await send_chunks(call, opened.chunks, CONTENT_TYPES[chosen], headers)


for _kind in FORMATS:
    _declare(_kind)
