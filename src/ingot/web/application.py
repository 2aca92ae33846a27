"""The pages as an ASGI application: address, visitor, form check, guard, handler, template."""

import hashlib
import logging
from contextlib import nullcontext
from http import HTTPStatus
from typing import cast

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from ingot.features.people.user_pages import SESSION_COOKIE, is_from_here, read_cookie, set_flash
from ingot.features.spaces.markdown import use_renderer, use_text_renderer
from ingot.identity.form_tokens import is_token
from ingot.instance.throttling import Throttle
from ingot.kit import request_ids, wire
from ingot.kit.changes import answering
from ingot.kit.db import counting_statements, remembering_answers
from ingot.kit.downloads import etag_matches
from ingot.kit.errors import ApiError, Malformed, NotFound, Unauthorized
from ingot.kit.faults import as_api_error
from ingot.kit.observing import observed
from ingot.kit.services import Services
from ingot.kit.statements.remembering import LastingAnswers
from ingot.web import assets, hurdles, proving, short_addresses, visitors
from ingot.web.call import PageCall, View
from ingot.web.downloads import Download
from ingot.web.faults import FormRefused, render_fault
from ingot.web.foreign_pictures import ForeignPictures
from ingot.web.guards import MovedPlace
from ingot.web.headers import HEADERS
from ingot.web.live import Live
from ingot.web.markdown import render_for_api, render_for_mail
from ingot.web.registry import PageTable, Place, nothing_at
from ingot.web.rendering import render_view
from ingot.web.stale_forms import answer_stale_form
from ingot.web.texts.pictures import BASE as PICTURES

log = logging.getLogger("ingot.pages")
LONGEST_FORM = 2 * 1024 * 1024
LONGEST_UPLOAD = 10 * 1024 * 1024  # of a form with files; larger ones come with git
SMALLEST_COMPRESSED = 1000
HTTPS_ONLY = "max-age=31536000"  # a year; other names of the domain decide for themselves


class PageApplication:
    """Answers every address that no other application answers."""

    def __init__(self, services: Services, throttle: Throttle) -> None:
        self._services = services
        self._throttle = throttle
        self._table: PageTable | None = None
        self._pictures = ForeignPictures(services)
        use_renderer(render_for_api)
        use_text_renderer(render_for_mail)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one visit; nothing escapes as a traceback."""
        request = Request(scope, receive)
        request_id = observed(scope).request_id = request_ids.fresh()
        try:
            response = await self._respond(request, request_id)
        except ApiError as error:
            response = self._fault(request, error, request_id)
        except Exception as error:  # noqa: BLE001 - noted in the log, unless it is known
            response = self._fault(request, _known_fault(error, request, request_id), request_id)
        response.headers["X-Request-Id"] = request_id
        if (self._services.settings.base_url or wire.base_url(request)).startswith("https:"):
            response.headers["Strict-Transport-Security"] = HTTPS_ONLY
        await response(scope, receive, send)

    async def _respond(self, request: Request, request_id: str) -> Response:
        path = request.url.path
        if path.startswith("/assets/"):
            _, _, digest, name = [*path.split("/", 3), "", ""][:4]
            return assets.respond(request, digest, name)
        observation = observed(request.scope)
        if path.startswith(PICTURES):
            observation.route = f"page {PICTURES}"
            return await self._pictures.respond(request)
        observation.route = "page none"
        place = self._find(request)
        if place is not None:
            observation.route = f"page {place.route}"
        elif request.method == "GET" and self._has_cookie(request):
            place = nothing_at(request.url.path)
        else:
            raise NotFound
        if place.endpoint.tag != "site":  # some addresses of the site are secrets
            observation.path = path
        call = PageCall(request, place.endpoint, place.values, self._services)
        call.request_id, call.otherwise = request_id, place.otherwise
        call.values = wire.query_values(request)
        form: dict[str, object] = {}
        if request.method == "POST":
            form = await _read_form(request)
        pools = self._services.pools
        if not call.is_read:
            try:
                result = await pools.run(lambda: self._visit(call, form), wide=True)
            finally:
                wire.close_uploads(wire.uploads(request, form))
        else:
            result = await pools.run_git(lambda: self._visit(call, form), can_end=True)
        return await result.respond() if isinstance(result, Download | Live) else result

    def _find(self, request: Request) -> Place | None:
        if self._table is None:
            self._table = PageTable()
        raw = request.scope.get("raw_path") or request.scope["path"].encode()
        try:
            segments = wire.path_segments(raw.partition(b"?")[0])
        except Malformed:
            return None  # no page has such an address
        return self._table.find(request.method, segments)

    def _has_cookie(self, request: Request) -> bool:
        """Whoever may have signed in keeps their menu on all pages. To others, `Nothing here` costs no statement."""
        return bool(read_cookie(request, SESSION_COOKIE, self._services.settings.base_url or wire.base_url(request)))

    def _visit(self, call: PageCall, form: dict[str, object]) -> Response | Download | Live:
        # The API's endpoints that a page asks load the same project, memberships and rights: each is looked up once.
        # What seldom changes is not even looked up again by the next visit, unless something was written.
        left = LastingAnswers(self._services.lasting, lambda: self._services.db.versions(call.conn))
        remembering = remembering_answers(left) if call.is_read else nullcontext()
        if not call.is_read:
            # Before anything can fail: the page of a fault gives back what was written.
            call.values = {name: value for name, value in form.items() if name != "authenticity_token"}
        with counting_statements() as counter, remembering, answering(call):
            try:
                call.actor = visitors.identify(call)
                observed(call.request.scope).user_id = call.actor.user_id
                self._throttle(call)
                result = self._answer(call, form)
                if isinstance(result, Download | Live):
                    return result
                response = render_view(call, result) if isinstance(result, View) else result
            except ApiError as error:
                response = self._fault(call.request, error, call.request_id, call)
            except Exception as error:
                if call.is_read:
                    raise
                # The page gives back what was written in the form.
                known = _known_fault(error, call.request, call.request_id)
                response = self._fault(call.request, known, call.request_id, call)
            finally:
                call.close()
                call.statements += counter[0]
        if self._services.settings.query_count_header:
            response.headers["X-Query-Count"] = str(call.statements)
        if call.is_read:
            visitors.renew(call, response)
        return _compressed(call.request, _unless_known(call, response))

    def _answer(self, call: PageCall, form: dict[str, object]) -> View | Response | Download | Live:
        if call.request.method == "POST":
            call.close()
            again = self._check_form(call, form)
            if again is not None:
                return again
        moved = short_addresses.find_elsewhere(call)
        if moved is not None:
            return moved
        if call.endpoint.guard.needs_user and call.actor.is_anonymous:
            raise Unauthorized
        elsewhere = hurdles.find_hurdle(call)
        if elsewhere is not None:
            return elsewhere
        call.endpoint.guard.admit(call)
        question = proving.ask_again(call)
        if question is not None:
            return question
        return cast("View | Response | Download | Live", call.endpoint.handler(call))

    def _check_form(self, call: PageCall, form: dict[str, object]) -> View | None:
        """A form is valid if a page of this server sent it, from the same session. Else a page may take it over."""
        if not is_from_here(call.request, call.base_url):
            raise FormRefused("The form was not sent from a page of this server.")
        expected = call.session.csrf if call.session is not None else call.request.cookies.get("_ingot_form", "")
        if expected and is_token(str(form.get("authenticity_token", "")), expected):
            return None
        again = answer_stale_form(call)
        if again is None:
            raise FormRefused(
                "The page was open for too long or belongs to another session. Reload it, then submit the form again."
            )
        return again

    def _fault(self, request: Request, error: ApiError, request_id: str, call: PageCall | None = None) -> Response:
        if error.status == HTTPStatus.MOVED_PERMANENTLY:
            response = RedirectResponse(error.headers["Location"], 301)
            if isinstance(error, MovedPlace) and call is not None and call.session is not None:
                set_flash(response, call.session, error.words, call.base_url)
            return response
        if error.status == HTTPStatus.UNAUTHORIZED and request.method == "GET":
            return RedirectResponse(f"/users/sign_in?return_to={_here(request)}", 302)
        return _compressed(request, render_fault(request, error, request_id, call))


class _Unexpected(ApiError):
    """Something went wrong on our side."""

    status = 500


def _known_fault(error: Exception, request: Request, request_id: str) -> ApiError:
    """What an error means for the visitor; a bug is noted in the log."""
    known = as_api_error(error)
    if known is None:
        log.error("page failed", exc_info=error, extra={"request_id": request_id, "path": request.url.path})
    return known or _Unexpected()


async def _read_form(request: Request) -> dict[str, object]:
    if wire.media_type(request) == "multipart/form-data":
        return dict(await wire.body_values(request, LONGEST_UPLOAD))
    body = await wire.read_body(request, LONGEST_FORM)
    return dict(await wire.beside_the_loop(wire.form_values, body))


def _here(request: Request) -> str:
    from urllib.parse import quote

    query = f"?{request.url.query}" if request.url.query else ""
    return quote(request.url.path + query, safe="")


def _unless_known(call: PageCall, response: Response) -> Response:
    """A page that a stranger has already is not sent again; pages of others, and with forms, always are."""
    is_page = response.status_code == HTTPStatus.OK and (response.media_type or "").startswith("text/html")
    if not (is_page and call.is_read and call.actor.is_anonymous) or "set-cookie" in response.headers:
        return response
    tag = f'"{hashlib.blake2b(bytes(response.body), digest_size=12).hexdigest()}"'
    headers = {"ETag": f"W/{tag}", **HEADERS}  # browsers take those of this answer for the page that they have
    if etag_matches(call.request.headers.get("if-none-match", ""), tag):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    response.headers["ETag"] = headers["ETag"]
    return response


def _compressed(request: Request, response: Response) -> Response:
    """The page with its headers, compressed for those who can read that."""
    if not (response.media_type or "").startswith("text/html") or "content-encoding" in response.headers:
        return response
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if "gzip" in request.headers.get("accept-encoding", "") and len(response.body) > SMALLEST_COMPRESSED:
        from isal import igzip

        response.body = igzip.compress(bytes(response.body), 2)
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(response.body))
    return response
