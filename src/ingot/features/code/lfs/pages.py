"""The addresses of Git LFS below a project's git address. Who may use them is asked as for a fetch or a push."""

import logging
from collections.abc import Awaitable, Callable
from functools import partial

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ingot.features.code.git_http import GitRefused, GitRequest, Opened, open_for
from ingot.features.code.git_ssh import open_with_token
from ingot.features.code.lfs.batch import MOST_OBJECTS, OID, Batch, answer, find_readable
from ingot.features.code.lfs.transfer import Mismatch, receive_object
from ingot.features.spaces.projects import project_settings
from ingot.gitstore.smart_http import RECEIVE_PACK, UPLOAD_PACK
from ingot.kit.downloads import StoredFile, serve
from ingot.kit.faults import as_api_error
from ingot.kit.services import Services

log = logging.getLogger("ingot.lfs")

JSON = "application/vnd.git-lfs+json"
LARGEST_QUESTION = 1 << 20
NOT_FOUND = "Not found."
NO_ACCESS = "Access forbidden. Check your access level."
OLD_CLIENT = "Server supports batch API only, please update your Git LFS client to version 1.0.1 and up."


class LfsRefused(Exception):
    """The request is answered with a status and a sentence."""

    def __init__(self, status: int, text: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(text)
        self.status, self.text, self.headers = status, text, headers or {}


def pages(services: Services) -> list[BaseRoute]:
    """Every project's LFS addresses."""
    page = LfsPage(services)
    objects = "/{path:path}.git/gitlab-lfs/objects/{oid}"
    return [
        Route("/{path:path}.git/info/lfs/objects/batch", page.batch, methods=["POST"]),
        Route("/{path:path}.git/info/lfs/objects", page.old, methods=["POST"]),
        Route("/{path:path}.git/info/lfs/objects/{oid}", page.old, methods=["GET"]),
        Route(objects, page.download, methods=["GET"]),
        Route(objects + "/{size:int}", page.upload, methods=["PUT"]),
    ]


class LfsPage:
    """The handlers, over the services of the application."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def batch(self, request: Request) -> Response:
        """Where the objects are to be fetched from or sent to."""
        return await self._guarded(self._batch, request)

    async def download(self, request: Request) -> Response:
        """An object of the project, whole or in part."""
        return await self._guarded(self._download, request)

    async def upload(self, request: Request) -> Response:
        """Take an object in."""
        return await self._guarded(self._upload, request)

    async def old(self, _: Request) -> Response:
        """The API before batches."""
        return self._refusal(501, OLD_CLIENT)

    async def _guarded(self, handle: Callable[[Request], Awaitable[Response]], request: Request) -> Response:
        try:
            return await handle(request)
        except LfsRefused as refused:
            return self._refusal(refused.status, refused.text, refused.headers)
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as error:
            known = as_api_error(error)
            if known is None:
                log.exception("lfs request failed", extra={"path": request.scope["path"]})
            return self._refusal(*((500, "Internal Server Error") if known is None else (known.status, known.text)))

    async def _batch(self, request: Request) -> Response:
        batch = await _read_batch(request)
        opened = await self._open(request, uploads=batch.uploads)
        url = f"{self._base_url(request)}/{opened.project.full_path}.git"
        work = partial(answer, self.services, opened, batch, url, request.headers.get("authorization", ""))
        return Response(msgspec.json.encode(await self.services.pools.run(work, wide=True)), media_type=JSON)

    async def _download(self, request: Request) -> Response:
        opened = await self._open(request, uploads=False)
        oid = request.path_params["oid"]

        def find() -> StoredFile:
            with self.services.db.read() as conn:
                row = find_readable(conn, opened, [oid]).get(oid)
            if row is None:
                raise LfsRefused(404, NOT_FOUND)
            return StoredFile(key=row.blob_key, size=row.size, filename=oid, digest=oid)

        file = await self.services.pools.run(find, wide=False)
        return await serve(self.services, request, file)

    async def _upload(self, request: Request) -> Response:
        opened = await self._open(request, uploads=True)
        oid = request.path_params["oid"]
        if OID.fullmatch(oid) is None:
            raise LfsRefused(404, NOT_FOUND)
        try:
            await receive_object(self.services, opened, request, oid, request.path_params["size"])
        except Mismatch:
            return Response("SHA256 or size mismatch", status_code=400, media_type="text/plain")
        return Response(status_code=200)

    async def _open(self, request: Request, *, uploads: bool) -> Opened:
        service = RECEIVE_PACK if uploads else UPLOAD_PACK
        base_url = self._base_url(request)
        path, rest = request.path_params["path"], request.scope["path"].partition(".git/")[2]
        authorization = request.headers.get("authorization", "")
        git_request = GitRequest(path, service, authorization, base_url, rest, request)
        try:
            opened = await self.services.pools.run_git(partial(_find, self.services, git_request), can_end=False)
        except GitRefused as refused:
            text = {403: NO_ACCESS, 404: NOT_FOUND}.get(refused.status, refused.text)
            raise LfsRefused(refused.status, text, refused.headers) from None
        if not project_settings(opened.project).lfs_enabled:
            raise LfsRefused(403, NO_ACCESS)
        return opened

    def _base_url(self, request: Request) -> str:
        return self.services.settings.base_url.rstrip("/") or str(request.base_url).rstrip("/")

    def _refusal(self, status: int, text: str, headers: dict[str, str] | None = None) -> Response:
        body = {"message": text, "documentation_url": "/help"}
        return Response(msgspec.json.encode(body), status_code=status, headers=headers, media_type=JSON)


def _find(services: Services, git_request: GitRequest) -> Opened:
    return open_with_token(services, git_request) or open_for(services, git_request)


async def _read_batch(request: Request) -> Batch:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_QUESTION:
            raise LfsRefused(413, "The request is too large.")
    try:
        batch = msgspec.json.decode(body, type=Batch)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise LfsRefused(422, "The request cannot be read.") from None
    if batch.operation not in ("upload", "download") or not batch.objects:
        raise LfsRefused(404, NOT_FOUND)
    if len(batch.objects) > MOST_OBJECTS:
        raise LfsRefused(413, f"At most {MOST_OBJECTS} objects can be named at once.")
    if batch.hash_algo != "sha256":
        raise LfsRefused(409, "Only sha256 is supported.")
    return batch
