"""`POST /api/graphql` as an ASGI application: the caller, the body, the query, the answer.

Queries only read, so a token with `read_api` suffices, and the endpoints below are asked with `GET`.
"""

import logging
from collections.abc import Callable, Mapping

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ingot.access.policy import ANYONE
from ingot.instance.throttling import Throttle
from ingot.kit import cors, request_ids, wire
from ingot.kit.actor import Actor
from ingot.kit.call import Call
from ingot.kit.changes import answering
from ingot.kit.db import counting_statements, remembering_answers
from ingot.kit.endpoint import Endpoint
from ingot.kit.errors import ApiError
from ingot.kit.faults import as_api_error
from ingot.kit.observing import observed
from ingot.kit.page_pieces import LongRecord, Pieces
from ingot.kit.safe_headers import complete
from ingot.kit.services import Services
from ingot.web.call import PageCall, Rows

log = logging.getLogger("ingot.graphql")

PATH = "/api/graphql"
LONGEST_BODY = 256 * 1024
LONGEST_LISTS = 8 << 20  # bytes of the lists that one query reads


class ListsTooLong(ApiError):
    """The lists of the query are too long together: ask for fewer entries."""

    status = 413


class WrongMethod(ApiError):
    """Queries are sent with POST."""

    status = 405


class QueryCall(PageCall):
    """A call whose long lists come whole: clients edit what they read."""

    __slots__ = ("_room",)

    rows_first = False  # clients choose the size of pages, and what one costs does not depend on it

    def __init__(self, request: Request, endpoint: Endpoint, path: dict[str, str], services: Services) -> None:
        super().__init__(request, endpoint, path, services)
        self._room = LONGEST_LISTS

    def read_long(self, result: Pieces | LongRecord) -> object:
        """The entries, while there is room for them in the answer."""
        if isinstance(result, LongRecord):
            return super().read_long(result)
        entries = []
        for entry in result:
            self._take(entry)
            entries.append(msgspec.to_builtins(entry))
        return entries

    def ask_rows(self, address: str, columns: tuple[str, ...] = (), /, **values: object) -> Rows:
        """A list, while there is room for it in the answer."""
        before = self._room
        rows = super().ask_rows(address, columns, **values)
        if self._room == before:  # the entries of long lists were counted as they were read
            self._take(rows.items)
        return rows

    def _take(self, part: object) -> None:
        self._room -= len(msgspec.json.encode(part))
        if self._room < 0:
            raise ListsTooLong


class GraphqlApplication:
    """Answers queries."""

    def __init__(self, services: Services, authenticate: Callable[[Call], Actor], throttle: Throttle) -> None:
        self._services = services
        self._authenticate = authenticate
        self._throttle = throttle
        self._endpoint = Endpoint(method="GET", path=PATH, handler=_nothing, guard=ANYONE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; nothing escapes as a traceback."""
        request, observation = Request(scope, receive), observed(scope)
        observation.route = PATH
        # As the endpoints see it: everything below only reads.
        call = QueryCall(Request({**scope, "method": "GET"}), self._endpoint, {}, self._services)
        call.request_id = observation.request_id = request_ids.fresh()
        try:
            response = cors.preflight(request) if cors.is_preflight(request) else await self._answer(request, call)
        except Exception as error:  # noqa: BLE001 - what is unknown is logged
            response = _fault(error, call.request_id)
        response.headers["X-Request-Id"] = call.request_id
        complete(response.raw_headers)
        cors.decorate(request, response)
        if self._services.settings.query_count_header:
            response.headers["X-Query-Count"] = str(call.statements)
        for name, value in call.limit_headers.items():
            response.headers.setdefault(name, value)
        observation.user_id = call.actor.user_id
        await response(scope, receive, send)

    async def _answer(self, request: Request, call: PageCall) -> Response:
        if request.method != "POST":
            raise WrongMethod(headers={"Allow": "OPTIONS, POST"})
        call.values = wire.query_values(request)
        body = await wire.body_values(request, LONGEST_BODY)
        result = await self._services.pools.run_git(lambda: self._visit(call, body), can_end=True)
        return _json(result)

    def _visit(self, call: PageCall, body: Mapping[str, object]) -> object:
        # The endpoints that a query asks load the same project, memberships and rights: each is looked up once.
        with counting_statements() as counter, remembering_answers(), answering(call):
            try:
                call.actor = self._authenticate(call)
                call.limit_headers = self._throttle(call)
                # Here, so that only the first query waits for the library.
                from ingot.graphql.execution import execute

                return execute(call, body)
            finally:
                call.close()
                call.statements += counter[0]


def _nothing(_: PageCall) -> None:
    """Queries are no endpoint: what they ask has handlers of its own."""


def _json(body: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    sent = {"Cache-Control": "max-age=0, private, must-revalidate", **(headers or {})}
    return Response(msgspec.json.encode(body), status, sent, "application/json")


def _fault(error: Exception, request_id: str) -> Response:
    """A refusal in the form that clients of GraphQL read."""
    known = error if isinstance(error, ApiError) else as_api_error(error)
    if known is None:
        log.error("query failed", exc_info=error, extra={"request_id": request_id})
        return _json({"errors": [{"message": "Internal server error"}]}, 500)
    message = "Invalid token" if known.status == 401 else str(known)
    return _json({"errors": [{"message": message}]}, known.status, known.headers)
