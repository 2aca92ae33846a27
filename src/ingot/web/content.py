"""The host of users' files (`content_url`): it answers signed links, and nothing else of this server is there.

It reads and sets no cookies. What it gives out is locked into an origin that nobody else has (`sandbox` without
`allow-same-origin`): a page there may run its scripts, but reaches neither this server's pages nor other reports.
"""

import logging
from http import HTTPStatus
from urllib.parse import quote

from msgspec.structs import replace
from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ingot.access.addresses import limit_by_address
from ingot.access.call import Call
from ingot.features.ci.job_artifacts import content_type_by_name
from ingot.features.transfer.uploads import UploadRow, find_upload, serve_upload
from ingot.identity.authentication import actor_of_user, check_user
from ingot.identity.tables import users
from ingot.kit import request_ids, wire
from ingot.kit.actor import ANONYMOUS, Actor
from ingot.kit.callers import serve_for
from ingot.kit.content_links import LIFETIME, ContentLink, is_content_host, read_link
from ingot.kit.downloads import attachment
from ingot.kit.errors import ApiError, Malformed, NotFound
from ingot.kit.faults import as_api_error
from ingot.kit.observing import Named, Observing
from ingot.kit.params import Params
from ingot.kit.services import Services
from ingot.web.downloads import Download
from ingot.web.opening import PERSONAL

log = logging.getLogger("ingot.content")
GONE = "Not found.\n"
EXPIRED = "This link has expired. Links are valid for five minutes. Open the file from its page again.\n"
UNAVAILABLE = "The file cannot be read at the moment.\n"
DOWNLOADED = ("application/pdf", "application/octet-stream")  # viewers of PDF do not work locked in
HEADERS = {
    # A page that is locked in is of no origin, also for what lies beside it: `same-origin` would refuse its own parts.
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",  # the address is a key
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}
KEPT = ("content-length", "content-range", "accept-ranges", "etag", "last-modified")


class Unavailable(ApiError):
    """The file cannot be read"""

    status = 503


def policy(origin: str) -> str:
    """May run, may load what lies beside it, and may call nobody else. It is locked into an origin of its own."""
    sources = f"{origin} data: blob: 'unsafe-inline' 'unsafe-eval'"
    sandbox = "allow-scripts allow-downloads allow-modals allow-popups allow-popups-to-escape-sandbox"
    return f"sandbox {sandbox}; default-src {sources}; form-action 'none'; base-uri 'none'; object-src 'none'"


class ContentDoor:
    """Hands requests of the other host to it, whatever their path, and everything else on."""

    def __init__(self, app: ASGIApp, services: Services) -> None:
        self._app = app
        self._url = services.settings.content_url
        self._content = Observing(Named(ContentApplication(services), "content"), services.settings.slow_request)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request to one or the other."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        is_content = any(is_content_host(self._url, host) for host in hosts)
        await (self._content if is_content else self._app)(scope, receive, send)


class ContentApplication:
    """Answers signed links."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._policy = policy(services.settings.content_url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; nothing escapes as a traceback."""
        if scope["type"] != "http":
            return
        if scope.get("client") is not None:
            serve_for(scope["client"][0])
        request = Request(scope, receive)
        try:
            response = await self._respond(request)
        except ApiError as error:
            response = _fault(error)
        except Exception as error:  # noqa: BLE001 - noted in the log, unless it is known
            response = _fault(_known(error))
        await self._with_headers(response)(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            raise NotFound
        raw = request.scope.get("raw_path") or request.scope["path"].encode()
        try:
            segments = wire.path_segments(raw.partition(b"?")[0])
        except Malformed:
            raise NotFound from None
        link = read_link(self._services, [part for part in segments if part])
        if link is None or "\x00" in link.path:
            raise NotFound
        if link.has_expired:
            return self._renewed(request, link)
        actor = await self._services.pools.run(lambda: self._holder(request, link), wide=True)
        result = await self._find(request, link, actor)
        return _shown(result, link.path.rpartition("/")[2])

    def _renewed(self, request: Request, link: ContentLink) -> Response:
        """Whoever goes on reading gets another link from our own host, which asks who they are."""
        own = self._services.settings.base_url
        if not own or request.headers.get("sec-fetch-dest") != "document":
            return PlainTextResponse(EXPIRED, 403)
        target = f"{own}/-/content/{link.kind}/{link.place}/{link.name}/{quote(link.path)}"
        return RedirectResponse(target, 302, {"Cache-Control": "no-store"})

    def _holder(self, request: Request, link: ContentLink) -> Actor:
        """The person whom the link was made for, as they are now, without rights that they did not use then."""
        if link.user_id is None:
            return limit_by_address(self._services, ANONYMOUS, request)
        with self._services.db.read() as conn:
            row = conn.execute(select(users).where(users.c.id == link.user_id)).one_or_none()
        if row is None:
            raise NotFound
        check_user(row, "")
        actor = actor_of_user(row)
        return limit_by_address(self._services, replace(actor, is_admin=row.is_admin and link.is_admin), request)

    async def _find(self, request: Request, link: ContentLink, actor: Actor) -> Response:
        """The file, if the person may read it."""
        if link.kind == "artifacts":
            return await self._ask(request, actor, ["projects", link.place, "jobs", link.name, "artifacts", link.path])
        if link.kind == "files":
            segments = ["projects", link.place, "repository", "files", link.path, "raw"]
            return await self._ask(request, actor, segments, ref=link.name)
        if link.kind == "snippets":
            above = [] if link.place == PERSONAL else ["projects", link.place]
            ref, _, name = link.path.partition("/")
            return await self._ask(request, actor, [*above, "snippets", link.name, "files", ref, name, "raw"])
        if link.kind == "wikis":
            kind, _, owner_id = link.place.partition("-")
            return await self._ask(request, actor, [f"{kind}s", owner_id, "wikis", "-", "files", link.path])
        upload = await self._services.pools.run(lambda: self._upload(link, actor), wide=True)
        if upload is None:
            raise NotFound
        return await serve_upload(self._services, request, upload)

    async def _ask(self, request: Request, actor: Actor, segments: list[str], **values: str) -> Response:
        """The answer of an endpoint, whose guard is asked as it is over HTTP."""
        match = self._services.router.match(segments)
        if match is None or "GET" not in match.methods:
            raise NotFound
        call = Call[Params](request, match.methods["GET"], match.values["GET"], self._services)
        call.actor, call.values, call.request_id = actor, dict(values), request_ids.fresh()
        return await Download(call).respond()

    def _upload(self, link: ContentLink, actor: Actor) -> UploadRow | None:
        kind, _, owner_id = link.place.partition("-")
        with self._services.db.read() as conn:
            return find_upload(conn, actor, kind, int(owner_id), link.name, link.path)

    def _with_headers(self, response: Response) -> Response:
        headers = response.headers
        del headers["set-cookie"]
        headers["Content-Security-Policy"] = self._policy
        for name, value in HEADERS.items():
            headers[name] = value
        return response


def _shown(result: Response, name: str) -> Response:
    """The file as a browser takes it here: by its name, and not as a download."""
    if result.status_code not in (200, 206, 304):
        raise NotFound
    for header in set(result.headers) - set(KEPT):
        del result.headers[header]
    kind = content_type_by_name(name)
    is_shown = not kind.startswith(DOWNLOADED)
    result.headers["Content-Type"] = kind
    result.headers["Content-Disposition"] = attachment(name, inline=is_shown)
    result.headers["Cache-Control"] = f"private, max-age={LIFETIME}"
    return result


def _fault(error: ApiError) -> Response:
    is_away = error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
    return PlainTextResponse(UNAVAILABLE if is_away else GONE, 503 if is_away else 404)


def _known(error: Exception) -> ApiError:
    known = as_api_error(error)
    if known is None:
        log.error("a file could not be given out", exc_info=error)
    return known or Unavailable()
