"""What every LFS address shares: opening the project, reading JSON, and the form of refusals."""

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

import msgspec
from sqlalchemy import select
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from ingot.access.subjects import Project
from ingot.access.tables import projects
from ingot.features.code.git_http import WIKI_SUFFIX, GitRefused, GitRequest, Opened, open_for, with_help
from ingot.features.code.git_ssh import open_with_token
from ingot.features.code.lfs.batch import QuotaExceeded
from ingot.features.code.lfs.transfer_tokens import open_with_transfer_token
from ingot.features.spaces.projects import offers_lfs, project_settings
from ingot.gitstore.smart_http import RECEIVE_PACK, UPLOAD_PACK
from ingot.kit.errors import ApiError
from ingot.kit.faults import as_api_error
from ingot.kit.services import Services

log = logging.getLogger("ingot.lfs")
T = TypeVar("T")

JSON = "application/vnd.git-lfs+json"
LARGEST_QUESTION = 1 << 20
NOT_FOUND = "Not found."
SWITCHED_OFF = "Git LFS is not enabled on this GitLab server, contact your admin."
NO_ACCESS = "Access forbidden. Check your access level."


class LfsRefused(Exception):
    """The request is answered with a status and a sentence."""

    def __init__(self, status: int, text: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(text)
        self.status, self.text, self.headers = status, text, headers or {}


class LfsGate:
    """Opens projects for LFS requests, over the services of the application."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def guard(self, handle: Callable[[Request], Awaitable[Response]], request: Request) -> Response:
        """The handler's answer, or its refusal in the form of LFS."""
        try:
            return await handle(request)
        except LfsRefused as refused:
            return self.refusal(request, refused.status, refused.text, refused.headers)
        except ApiError as error:
            return self.refusal(request, error.status, error.text)
        except QuotaExceeded as refused:
            return self.refusal(request, 406, str(refused))
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as error:
            known = as_api_error(error)
            if known is None:
                log.exception("lfs request failed", extra={"path": request.scope["path"]})
            shown = (500, "Internal Server Error") if known is None else (known.status, known.text)
            return self.refusal(request, *shown)

    async def open(self, request: Request, *, uploads: bool) -> Opened:
        """The project, where the caller may fetch from it, or with `uploads` push to it."""
        if not self.services.settings.lfs:
            raise LfsRefused(501, SWITCHED_OFF)
        service = RECEIVE_PACK if uploads else UPLOAD_PACK
        base_url = self.base_url(request)
        path, rest = request.path_params["path"], request.scope["path"].partition(".git/")[2]
        path = await self.services.pools.run(partial(_project_path, self.services, path), wide=True)
        authorization = request.headers.get("authorization", "")
        git_request = GitRequest(path, service, authorization, base_url, rest, request)
        try:
            opened = await self.services.pools.run_git(partial(_find, self.services, git_request), can_end=False)
        except GitRefused as refused:
            text = {403: NO_ACCESS, 404: NOT_FOUND}.get(refused.status, with_help(refused, base_url))
            raise LfsRefused(refused.status, text, refused.headers) from None
        if not await self.services.pools.run(partial(_offers_lfs, self.services, opened.project), wide=True):
            raise LfsRefused(403, NO_ACCESS)
        return opened

    def refusal(
        self, request: Request, status: int, text: str, headers: dict[str, str] | None = None, **more: object
    ) -> Response:
        """An error as LFS clients read it."""
        body = {**more, "message": text, "documentation_url": f"{self.base_url(request)}/help"}
        return answer_json(body, status, headers)

    def base_url(self, request: Request) -> str:
        """The server's address, for links in answers."""
        return self.services.settings.base_url.rstrip("/") or str(request.base_url).rstrip("/")


def answer_json(body: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A body in the media type of LFS."""
    return Response(msgspec.json.encode(body), status_code=status, headers=headers, media_type=JSON)


async def read_json(request: Request, kind: type[T]) -> T:
    """The request's body; 422 where it cannot be read."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_QUESTION:
            raise LfsRefused(413, "The request is too large.")
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise LfsRefused(422, "The request cannot be read.") from None


def _project_path(services: Services, path: str) -> str:
    """The project whose objects an address is about: a wiki shares those of its project, with the rights for code."""
    if not path.endswith(WIKI_SUFFIX):
        return path
    with services.db.read() as conn:
        is_project = conn.execute(select(projects.c.id).where(projects.c.full_path_lower == path.lower())).first()
    return path if is_project else path.removesuffix(WIKI_SUFFIX)


def _find(services: Services, git_request: GitRequest) -> Opened:
    return (
        open_with_token(services, git_request)
        or open_with_transfer_token(services, git_request)
        or open_for(services, git_request)
    )


def _offers_lfs(services: Services, project: Project) -> bool:
    with services.db.read() as conn:
        return offers_lfs(services, conn, project_settings(project), project.namespace_id)
