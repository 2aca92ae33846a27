"""The endpoint that sends a repository as it lies on disk."""

from collections.abc import Iterator

from starlette.responses import Response

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR
from ingot.access.subjects import get_project
from ingot.features.code.repository import send_chunks
from ingot.features.code.wikis import wiki_of_project
from ingot.features.spaces.projects import repository_of
from ingot.gitstore.raw_copy import raw_copy
from ingot.kit.endpoint import Answer, Binary, Routes
from ingot.kit.errors import NotFound
from ingot.kit.params import Param, Params

routes = Routes("Repositories", guard=ADMINISTRATOR, guard_first=True)
MEDIA_TYPE = "application/x-tar"
HEADERS = {
    "Content-Disposition": 'attachment; filename="snapshot.tar"',
    "Content-Transfer-Encoding": "binary",
    "Cache-Control": "private",
}


class ReadSnapshot(Params):
    """Which repository of the project."""

    wiki: bool = Param("That of the wiki.", default=False)


@routes.get("/projects/{id}/snapshot", params=ReadSnapshot, returns=Binary(MEDIA_TYPE))
async def get_project_snapshot(call: Call[ReadSnapshot]) -> Answer:
    """The bare repository of a project as a tar file, streamed: references and objects (administrators)."""
    chunks = await call.run(_open, call)
    if call.request.method == "HEAD":
        return Response(headers=HEADERS, media_type=MEDIA_TYPE)
    return await send_chunks(call, chunks, MEDIA_TYPE, HEADERS)


def _open(call: Call[ReadSnapshot]) -> Iterator[bytes]:
    project = get_project(call.conn, call.actor, call.path["id"])
    if call.params.wiki:
        repository = wiki_of_project(call.services, project.row).repository
    else:
        repository = repository_of(call.services, project)
    if not repository.exists():
        raise NotFound("Repository")
    return raw_copy(repository)
