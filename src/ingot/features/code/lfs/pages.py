"""The addresses of Git LFS below a project's git address. Who may use them is asked as for a fetch or a push."""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ingot.features.code.git_http import WIKI_SUFFIX
from ingot.features.code.lfs.batch import MOST_OBJECTS, OID, Batch, Item, answer, find_readable, require_room
from ingot.features.code.lfs.gate import NOT_FOUND, LfsGate, LfsRefused, answer_json, read_json
from ingot.features.code.lfs.lock_pages import LockPages
from ingot.features.code.lfs.transfer import Mismatch, NothingSent, receive_object
from ingot.features.code.lfs_objects import find_objects
from ingot.kit.downloads import StoredFile, serve
from ingot.kit.services import Services

OLD_CLIENT = "Server supports batch API only, please update your Git LFS client to version 1.0.1 and up."


def pages(services: Services) -> list[BaseRoute]:
    """Every project's LFS addresses."""
    gate = LfsGate(services)
    page = LfsPage(gate)
    objects = "/{path:path}.git/gitlab-lfs/objects/{oid}"
    return [
        Route("/{path:path}.git/info/lfs/objects/batch", page.batch, methods=["POST"]),
        Route("/{path:path}.git/info/lfs/objects", page.old, methods=["POST"]),
        Route("/{path:path}.git/info/lfs/objects/{oid}", page.old, methods=["GET"]),
        Route(objects, page.download, methods=["GET"]),
        Route(objects + "/{size:int}", page.upload, methods=["PUT"]),
        *LockPages(gate).routes(),
    ]


class LfsPage:
    """Batches and the transfer of objects."""

    def __init__(self, gate: LfsGate) -> None:
        self.gate, self.services = gate, gate.services

    async def batch(self, request: Request) -> Response:
        """Where the objects are to be fetched from or sent to."""
        return await self.gate.guard(self._batch, request)

    async def download(self, request: Request) -> Response:
        """An object of the project, whole or in part."""
        return await self.gate.guard(self._download, request)

    async def upload(self, request: Request) -> Response:
        """Take an object in."""
        return await self.gate.guard(self._upload, request)

    async def old(self, request: Request) -> Response:
        """The API before batches."""
        return self.gate.refusal(request, 501, OLD_CLIENT)

    async def _batch(self, request: Request) -> Response:
        batch = await _read_batch(request)
        opened = await self.gate.open(request, uploads=batch.uploads)
        is_wiki = request.path_params["path"].lower() == f"{opened.project.full_path}{WIKI_SUFFIX}".lower()
        url = f"{self.gate.base_url(request)}/{opened.project.full_path}{WIKI_SUFFIX if is_wiki else ''}.git"
        work = partial(answer, self.services, opened, batch, url, request.headers.get("authorization", ""))
        return answer_json(await self.services.pools.run(work, wide=True))

    async def _download(self, request: Request) -> Response:
        opened = await self.gate.open(request, uploads=False)
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
        opened = await self.gate.open(request, uploads=True)
        oid = request.path_params["oid"]
        if OID.fullmatch(oid) is None:
            raise LfsRefused(404, NOT_FOUND)
        item = Item(oid, request.path_params["size"])
        await self.services.pools.run(partial(_require_room, self.services, opened.project.id, item), wide=True)
        try:
            await receive_object(self.services, opened, request, oid, item.size)
        except NothingSent:
            return Response("Unprocessable entity", status_code=422, media_type="text/plain")
        except Mismatch:
            return Response("SHA256 or size mismatch", status_code=400, media_type="text/plain")
        return Response(status_code=200)


async def _read_batch(request: Request) -> Batch:
    batch = await read_json(request, Batch)
    if batch.operation not in ("upload", "download") or not batch.objects:
        raise LfsRefused(404, NOT_FOUND)
    if len(batch.objects) > MOST_OBJECTS:
        raise LfsRefused(413, f"At most {MOST_OBJECTS} objects can be named at once.")
    if batch.hash_algo != "sha256":
        raise LfsRefused(409, "Only sha256 is supported.")
    return batch


def _require_room(services: Services, project_id: int, item: Item) -> None:
    """Who sends an object without asking before is refused by the same limit."""
    with services.db.read() as conn:
        if not find_objects(conn, project_id, [item.oid]):
            require_room(conn, project_id, [item])
