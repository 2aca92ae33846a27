"""The API as an ASGI application: the order of checks that every request goes through.

Malformed -> route -> content type -> token -> (guard, where declared first) -> parameters -> guard -> handler.
"""

import logging
import time
from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, Protocol

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ingot.kit import answer, cors, request_ids, wire
from ingot.kit.actor import Actor
from ingot.kit.answer_cache import Answer, AnswerCache, key_of
from ingot.kit.api_request import ARRIVAL, ApiRequest
from ingot.kit.brief_reads import LoopTime, run_briefly
from ingot.kit.call import Call
from ingot.kit.data_version import UNKNOWN, Versions
from ingot.kit.db import counting_statements
from ingot.kit.errors import (
    ApiError,
    Malformed,
    NotFound,
    ParamError,
    RouteNotFound,
    TooLarge,
    Unauthorized,
    WrongMethod,
    render,
)
from ingot.kit.faults import as_api_error
from ingot.kit.handling import handling
from ingot.kit.observe import Summary, observe_request
from ingot.kit.os_faults import SWITCH, is_of_storage
from ingot.kit.page_faults import PageFaults
from ingot.kit.ready_response import ReadyResponse
from ingot.kit.routing import Match, Router
from ingot.kit.safe_headers import complete
from ingot.kit.services import Services
from ingot.kit.sources import noting_sources
from ingot.kit.standby import Standby, position_of
from ingot.kit.statements.remembering import LastingAnswers
from ingot.kit.times import noting_times

log = logging.getLogger("ingot.api")

SMALL_BODY = 1024 * 1024
BODY_METHODS = ("POST", "PUT", "PATCH", "DELETE")
# Of the paths that were asked for last, the endpoints are known.
MOST_PATHS = 1000
LONGEST_PATH = 200
# Seconds after which a call that waited looks at the version of the database again.
MOMENT = 0.005

Authenticate = Callable[[Call], Actor]
IsFlagOn = Callable[[Call, str], bool]


class Throttle(Protocol):
    """Counts requests; gives headers for the answer, and raises when the caller is over the limit."""

    def __call__(self, call: Call) -> dict[str, str]:
        """Count a call."""

    def count_in_memory(
        self, services: Services, actor: Actor, request: Request, version: Hashable | None
    ) -> dict[str, str] | None:
        """Count a request on the event loop; None where the database has to be asked, and nothing was counted."""


class OldVersion(ParamError):
    """API V3 is no longer supported. Use API V4 instead."""

    status = 410


class UnknownFormat(ParamError):
    """The answer was asked for in a form other than JSON."""

    status = 406

    def __init__(self, name: str) -> None:
        super().__init__(f"The requested format '{name}' is not supported.")


class Api:
    """Serves everything below `/api/v4`."""

    prefix = "/api/v4"

    def __init__(
        self,
        services: Services,
        router: Router,
        authenticate: Authenticate,
        is_flag_on: IsFlagOn,
        throttle: Throttle | None = None,
        call_type: type[Call] = Call,
    ) -> None:
        self.services = services
        self.router = router
        self.authenticate = authenticate
        self.is_flag_on = is_flag_on
        self.throttle = throttle
        self.call_type = call_type
        self.answers = AnswerCache()
        self._loop_time = LoopTime()
        self._known_match = lru_cache(MOST_PATHS)(self._find_match)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; nothing escapes as a traceback."""
        started = time.perf_counter()
        request = ApiRequest(scope, receive)
        request_id = request_ids.fresh()
        call: Call | None = None
        versions, key = self.services.db.quick_versions(), key_of(scope)
        arrived = scope.get(ARRIVAL, started)
        if key is not None and (given := self._give_again(request, versions, key, arrived)) is not None:
            response, summary = answer.unless_known(request, given[0]), given[1]
            self._finish(request, response, summary, request_id, started)
            await response(scope, receive, send)
            return
        try:
            if cors.is_preflight(request):
                response = cors.preflight(request)
            else:
                values = wire.query_values(request)
                match = self._match(request)
                call = self._call(request, match, values)
                call.request_id, call.versions, call.arrived = request_id, versions, arrived
                call.takes_known = key is not None
                call.answer_key = key if call.endpoint.cached else None
                response = answer.unless_known(request, await self._answer(call, match))
        except ApiError as error:
            response = render(error)
        except Exception as error:
            known = as_api_error(error)
            if known is None:
                log.exception("request failed", extra={"request_id": request_id, "path": scope["path"]})
            elif known.status != 400:
                log.warning("request met a fault: %s", type(error).__name__, extra={"request_id": request_id})
            response = render(known or ApiError("500 Internal Server Error"))
            if known is None:
                response.status_code = 500
        finally:
            if call is not None and call.uploads:
                wire.close_uploads(call.uploads)
        self._finish(request, response, _summary(call), request_id, started)
        # What is sent piece by piece may meet a fault before the first piece.
        is_ready = isinstance(response, ReadyResponse)
        await (response if is_ready else PageFaults(response))(scope, receive, send)

    def _match(self, request: Request) -> Match:
        raw = request.scope.get("raw_path") or request.scope["path"].encode()
        path = raw.partition(b"?")[0]
        return self._known_match(path) if len(path) <= LONGEST_PATH else self._find_match(path)

    def _find_match(self, path: bytes) -> Match:
        segments = wire.path_segments(path)
        # spec: /api/v3 is gone but for /api/v3/user, by which old sign-in clients ask who they are
        if segments[:3] == ["", "api", "v3"] and segments[3:] != ["user"]:
            raise OldVersion
        # A prefix that only begins like ours is another path: /api/v4_or_whatever.
        if segments[:3] not in (["", "api", "v3"], ["", "api", "v4"]):
            raise RouteNotFound
        match = self.router.match(segments[3:])
        if match is None:
            raise RouteNotFound
        return match

    def _call(self, request: Request, match: Match, values: dict[str, object]) -> Call:
        method = request.method
        endpoint = match.methods.get(method) or (match.methods.get("GET") if method == "HEAD" else None)
        endpoint = endpoint or next(iter(match.methods.values()))
        call = self.call_type(request, endpoint, match.values[endpoint.method], self.services)
        call.values = values
        if values.get("format", "json") not in ("json", "txt") and "format" not in endpoint.params.fields:
            raise UnknownFormat(str(values["format"]))
        return call

    async def _answer(self, call: Call, match: Match) -> Response:
        request, endpoint = call.request, call.endpoint
        if request.method not in match.methods and not (request.method == "HEAD" and "GET" in match.methods):
            return await self._other_method(call, match)
        if request.method in BODY_METHODS and wire.has_body(request) and not endpoint.streams_body:
            await self._read_body(call)
        if endpoint.is_async:
            await call.run(self._prepare, call)
            with noting_times(call.times):
                result = await endpoint.handler(call)
            return answer.of(call, result)
        response: Response
        if call.versions.data is not None and (brief := self._handle_briefly(call)) is not None:
            return brief
        if call.answer_key is not None:
            # It may have to wait for its turn, and somebody before it asks for the same: the answer is looked for again
            # then, and what is made belongs to the version of that moment.
            call.versions = UNKNOWN
        if endpoint.uses_store or call.uploads:
            response = await self.services.pools.run_with_store(lambda: self._handle(call))
        elif endpoint.waits:
            response = await self.services.pools.run_git(lambda: self._handle(call), can_end=call.is_read)
        elif call.is_read:
            response = await self.services.pools.run(lambda: self._handle(call), wide=False)
        else:
            response = await self.services.pools.run_write(lambda: self._handle(call))
        return response

    def _handle_briefly(self, call: Call) -> Response | None:
        """The answer, where it can be made on the event loop; None where it needs a thread."""
        endpoint, key = call.endpoint, call.answer_key
        if endpoint.brief and not call.values:
            response = run_briefly(lambda: self._handle_once(call))
        elif (
            key is None
            or endpoint.uses_store
            or endpoint.waits
            or not self.answers.was_quick(key)
            or not self._loop_time.is_left()
        ):
            return None
        else:
            began = time.thread_time()
            response = run_briefly(lambda: self._handle_once(call))
            self._loop_time.spend(time.thread_time() - began)
        if response is None:
            call.statements = 0
        return response

    async def _read_body(self, call: Call) -> None:
        request = call.request
        length = request.headers.get("content-length")
        if length is not None and not (length.isascii() and length.isdigit()):
            raise Malformed
        limit = call.endpoint.body_limit
        if length is not None and int(length) > limit:
            raise TooLarge
        if length is None or int(length) > SMALL_BODY:
            # Only known callers may send large bodies.
            await self.services.pools.run(lambda: self._identify(call), wide=True)
            if (file_limit := call.endpoint.file_limit) is not None:
                limit = await self.services.pools.run(lambda: self._limit_by(file_limit, limit), wide=True)
            if length is not None and int(length) > limit:
                raise TooLarge
        body = await wire.body_values(request, limit, call.endpoint.params.spooled)
        call.values = {**call.values, **body}
        call.uploads = wire.uploads(request, body)

    def _limit_by(self, file_limit: Callable[[Connection], int], otherwise: int) -> int:
        """The limit on the body where the instance limits its file: slightly more, for the form around the file."""
        with self.services.db.read() as conn:
            limit = file_limit(conn)
        return limit + SMALL_BODY if limit else otherwise

    def _identify(self, call: Call) -> None:
        try:
            call.actor = self.authenticate(call)
            self._require_user(call)
        finally:
            call.close()

    def _require_user(self, call: Call) -> None:
        guard = call.endpoint.guard
        writes = call.request.method not in ("GET", "HEAD", "OPTIONS")
        if call.actor.is_anonymous and (guard.needs_user or (writes and not getattr(guard, "anonymous_writes", False))):
            raise Unauthorized

    def _prepare(self, call: Call) -> None:
        self._retry_read(call, lambda: self._admit_counted(call))

    def _retry_read(self, call: Call, work: Callable[[], object]) -> Any:
        """Try again once when a request that only reads lost its connection to the database or to a storage."""
        try:
            return work()
        except DBAPIError as fault:
            if call.request.method not in ("GET", "HEAD") or not fault.connection_invalidated:
                raise
        except Exception as fault:
            if call.request.method not in ("GET", "HEAD") or not is_of_storage(fault):
                raise
            time.sleep(SWITCH)
        return work()

    def _admit_counted(self, call: Call) -> None:
        with counting_statements() as counter, noting_times(call.times):
            try:
                self._admit(call)
            finally:
                call.close()
                call.statements += counter[0]

    def _admit(self, call: Call) -> None:
        endpoint = call.endpoint
        if call.answer_key is None and time.perf_counter() - call.arrived > MOMENT:
            # It waited for its turn or for its body: what others remember of the version then is too old by now.
            call.versions = self.services.db.quick_versions()
        call.actor = self.authenticate(call)
        self._count(call)
        self._require_user(call)
        if endpoint.flag is not None and not self.is_flag_on(call, endpoint.flag):
            raise NotFound
        if endpoint.guard_first:
            endpoint.guard.admit(call)
        parse = endpoint.params.parse_again if call.is_read else endpoint.params.parse
        call.params = parse({**call.values, **call.path})
        if not endpoint.guard_first:
            endpoint.guard.admit(call)
        if endpoint.tier is not None and not self.services.settings.has_tier(endpoint.tier):
            raise NotFound

    def _count(self, call: Call) -> None:
        """Once, also where the call begins anew: in a thread, or after its connection broke."""
        if self.throttle is not None and not call.limit_headers:
            call.limit_headers = self.throttle(call)

    def _handle(self, call: Call) -> Response:
        response: Response = self._retry_read(call, lambda: self._handle_once(call))
        return response

    def _handle_once(self, call: Call) -> Response:
        # Who asks for an answer that is made anew gets one.
        left = LastingAnswers(self.services.lasting, lambda: call.versions) if call.takes_known else None
        with handling(call, left) as counter:
            try:
                return self._handle_or_repeat(call)
            finally:
                call.close()
                call.statements += counter[0]

    def _handle_or_repeat(self, call: Call) -> Response:
        key = call.answer_key
        if key is None:
            return self._admit_and_handle(call)
        began, worked = time.perf_counter(), time.thread_time()
        if call.versions.data is None and (known := self._made_meanwhile(call, key)) is not None:
            call.actor = known.actor
            if known.is_counted:
                self._count(call)
            return known.response()
        with noting_sources() as sources:
            response = self._admit_and_handle(call)
        self.answers.put(call, key, response, sources, began, time.thread_time() - worked)
        return response

    def _made_meanwhile(self, call: Call, key: bytes) -> Answer | None:
        """After waiting for its turn: the answer that somebody else was given."""
        if (newer := self.answers.made_since(call.arrived, key)) is not None:
            return newer
        call.versions = self.services.db.versions(call.conn)
        return self.answers.get(call.versions.data, key)

    def _give_again(
        self, request: Request, versions: Versions, key: bytes, arrival: float
    ) -> tuple[Response, Summary] | None:
        """An answer that is known, on the event loop; None where there is none, or its request has to be counted."""
        known = self.answers.get(versions.data, key) or self.answers.made_since(arrival, key)
        if known is None:
            return None
        summary = Summary(known.route, known.actor.user_id)
        if not known.is_counted or self.throttle is None:
            return known.response(), summary
        try:
            headers = self.throttle.count_in_memory(self.services, known.actor, request, versions.settled)
        except ApiError as error:
            return render(error), summary
        return None if headers is None else (known.response(), summary._replace(limit_headers=headers))

    def _admit_and_handle(self, call: Call) -> Response:
        if self.services.db.standby is not None and call.endpoint.is_list:
            return self._admit_and_list(call, self.services.db.standby)
        self._admit(call)
        return answer.of(call, call.endpoint.handler(call))

    def _admit_and_list(self, call: Call, standby: Standby) -> Response:
        """Who calls and what they may do is read from the primary; the list from the standby where it is as new."""
        position = None if standby.is_away() else position_of(call.conn)
        self._admit(call)
        reading = None if position is None else standby.read_at(position)
        if reading is not None:
            try:
                call.read_standby(reading)
                return answer.of(call, call.endpoint.handler(call))
            except DBAPIError as fault:
                if not standby.note_fault(fault):
                    raise
                call.close()
        return answer.of(call, call.endpoint.handler(call))

    async def _other_method(self, call: Call, match: Match) -> Response:
        allowed = ["OPTIONS", *(["GET", "HEAD"] if "GET" in match.methods else [])]
        allowed += [name for name in ("HEAD", "POST", "PUT", "PATCH", "DELETE") if name in match.methods]
        headers = {"Allow": ", ".join(dict.fromkeys(allowed))}
        await self.services.pools.run(lambda: self._identify_for_other_method(call), wide=True)
        if call.request.method == "OPTIONS":
            return Response(status_code=204, headers=headers)
        raise WrongMethod(headers=headers)

    def _identify_for_other_method(self, call: Call) -> None:
        try:
            call.actor = self.authenticate(call)
        finally:
            call.close()
        needs_user = call.endpoint.guard.needs_user or call.request.method not in ("GET", "HEAD")
        if call.actor.is_anonymous and needs_user and call.request.method != "OPTIONS":
            raise Unauthorized

    def _finish(self, request: Request, response: Response, summary: Summary, request_id: str, started: float) -> None:
        """Complete the answer, log and count it."""
        # Waiting on behalf of the client is not work, and would hide the time that is.
        seconds = max(0.0, time.perf_counter() - started - summary.waited)
        response.raw_headers += (
            (b"x-request-id", request_id.encode()),
            (b"x-runtime", b"%.6f" % seconds),
            (b"x-gitlab-meta", f'{{"correlation_id":"{request_id}","version":"1"}}'.encode()),
        )
        complete(response.raw_headers)
        cors.decorate(request, response)
        if summary.route is not None and self.services.settings.query_count_header:
            response.headers["X-Query-Count"] = str(summary.statements)
        for name, value in summary.limit_headers.items():
            response.headers.setdefault(name, value)
        slow = self.services.settings.slow_request
        observe_request(request, response.status_code, summary, request_id, seconds, slow)


def _summary(call: Call | None) -> Summary:
    if call is None:
        return Summary()
    return Summary(call.endpoint.path, call.actor.user_id, call.statements, call.waited, call.limit_headers, call.times)
