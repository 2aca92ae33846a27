"""The declaration of an endpoint: one place for routing, parameters, rights, the answer's form and the documentation.

    routes = Routes("Merge requests")

    @routes.get("/projects/{id}/merge_requests", guard=READ_MERGE_REQUESTS, params=Filters, returns=list[MergeRequest])
    def list_project_merge_requests(call: Call) -> Answer:
        \"\"\"Merge requests of one project, newest first unless ordered otherwise.\"\"\"
        return call.page(queries.in_project(call.project, call.actor, call.params), entities.present)

`def` handlers run in a bounded thread pool: the narrow one for database reads, a second for writes, a third with
`waits=True` (git), a fourth with `uses_store=True` (objects) and for calls that bring a file. Those with `brief=True`
run on the event loop where that is possible (`kit.brief_reads`). `async def` handlers run there too and are for
streaming; their blocking parts go through `await call.run(...)`, or `await call.run_with_store(...)`. Handlers return
an entity, a list, a `Page` (from `call.page`), a `Reply` for other headers or statuses, a Starlette response for
streams, or None. The guard loads `call.project` / `call.group` and refuses callers before the handler runs. Path
values are texts in `call.path`, or typed parameters where declared.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, Unpack, get_origin

from ingot.kit.params import NoParams, Params
from ingot.kit.request_limits import MAX_BODY

if TYPE_CHECKING:
    from sqlalchemy import Connection


Answer = Any
# Typed by its parameter: a call with the endpoint's own parameter set, of the class that the application uses.
Handler = Callable[[Any], Any]


class Guard(Protocol):
    """Who may call. `admit` loads what the rule needs onto the call, or raises."""

    @property
    def needs_user(self) -> bool:
        """Anonymous callers are refused with 401."""

    @property
    def ability(self) -> str:
        """The name of the right."""

    # A guard of an endpoint may say in `callers` whom it lets through, for the documentation.

    # Any: each application makes calls of its own kind, and its guards ask for that kind.
    def admit(self, call: Any) -> None:
        """Let the call through, or raise 401, 403 or 404."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer with a status or headers of its own."""

    body: Any = None
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Binary:
    """In `returns`: the answer is a stream of this media type."""

    media_type: str = "application/octet-stream"


@dataclass(frozen=True, slots=True, init=False)
class OneOf:
    """In `returns`: the answer has one of these forms."""

    kinds: tuple[object, ...]

    def __init__(self, *kinds: object) -> None:
        object.__setattr__(self, "kinds", kinds)


UNLIMITED = 2**63


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Everything known about one method at one path."""

    method: str
    path: str
    handler: Handler
    guard: Guard
    params: type[Params] = NoParams
    returns: Any = None
    status: int = 200
    errors: tuple[int, ...] = ()  # beyond the ones that every endpoint may answer
    also: dict[int, Any] = field(default_factory=dict)  # other success statuses with their types
    scopes: tuple[str, ...] = ()  # scopes that open it besides api and read_api
    guard_first: bool = False  # the guard runs before parameter validation
    waits: bool = False
    uses_store: bool = False  # a `def` handler that reads or deletes objects; a call that brings a file does so anyway
    cached: bool = False  # a GET whose answer follows from database and refs: given again while neither changed
    brief: bool = False  # a GET that reads a few rows by their ids, and no git, unless parameters ask for more
    job_token: bool = False  # a CI job token is accepted
    streams_body: bool = False  # the handler reads the body itself
    file_limit: "Callable[[Connection], int] | None" = None  # bytes that an uploaded file may have, 0 for any
    tier: str | None = None  # premium | ultimate
    flag: str | None = None  # answered with 404 while this feature flag is off
    tag: str = ""
    hidden: bool = False  # not part of the described API

    @property
    def name(self) -> str:
        """The handler's name, unique over the API."""
        return self.handler.__name__

    @property
    def is_async(self) -> bool:
        """The handler runs on the event loop."""
        return _is_coroutine(self.handler)

    @property
    def is_list(self) -> bool:
        """It lists rows of the database."""
        return self.method == "GET" and get_origin(self.returns) is list and not (self.waits or self.uses_store)

    @property
    def body_limit(self) -> int:
        """The most bytes that a body may have; where a file is the point of the call, its own rules decide."""
        takes_file = any(field.kind == "file" and field.required for field in self.params.fields.values())
        return UNLIMITED if takes_file else MAX_BODY

    @property
    def doc(self) -> str:
        """The handler's docstring, which is the user's documentation."""
        return inspect.getdoc(self.handler) or ""

    @property
    def path_params(self) -> list[str]:
        """Names in the path, in order."""
        return [part.strip("{}*").removesuffix(":int") for part in self.path.split("/") if part.startswith("{")]


@cache  # Any: handlers take calls of different kinds, and answer with their own entities
def _is_coroutine(handler: Handler) -> bool:
    return inspect.iscoroutinefunction(handler)


_STATUS = {"GET": 200, "HEAD": 200, "POST": 201, "PUT": 200, "PATCH": 200, "DELETE": 204}


class EndpointOptions(TypedDict, total=False):
    """What a declaration may say about its endpoint; see `Endpoint`."""

    guard: Guard
    params: type[Params]
    returns: object
    status: int
    errors: tuple[int, ...]
    also: dict[int, Any]
    scopes: tuple[str, ...]
    guard_first: bool
    waits: bool
    uses_store: bool
    cached: bool
    brief: bool
    job_token: bool
    streams_body: bool
    file_limit: "Callable[[Connection], int] | None"
    tier: str | None
    flag: str | None
    hidden: bool


class Routes:
    """The endpoints of one feature; defaults given here hold for each."""

    def __init__(self, tag: str, **defaults: Unpack[EndpointOptions]) -> None:
        self.tag = tag
        self.defaults = defaults
        self.endpoints: list[Endpoint] = []

    def _declare(self, method: str, path: str, **options: Unpack[EndpointOptions]) -> Callable[[Handler], Handler]:
        # Any: as for `Handler`.
        def register(handler: Handler) -> Handler:
            settings: EndpointOptions = {"status": _STATUS[method], **self.defaults, **options}
            self.endpoints.append(Endpoint(method=method, path=path, handler=handler, tag=self.tag, **settings))
            return handler

        return register

    def get(self, path: str, **options: Unpack[EndpointOptions]) -> Callable[[Handler], Handler]:
        """Declare a GET endpoint (HEAD is answered too)."""
        return self._declare("GET", path, **options)

    def head(self, path: str, **options: Unpack[EndpointOptions]) -> Callable[[Handler], Handler]:
        """Declare a HEAD endpoint that differs from its GET."""
        return self._declare("HEAD", path, **options)

    def post(self, path: str, **options: Unpack[EndpointOptions]) -> Callable[[Handler], Handler]:
        """Declare a POST endpoint."""
        return self._declare("POST", path, **options)

    def put(self, path: str, **options: Unpack[EndpointOptions]) -> Callable[[Handler], Handler]:
        """Declare a PUT endpoint."""
        return self._declare("PUT", path, **options)

    def patch(self, path: str, **options: Unpack[EndpointOptions]) -> Callable[[Handler], Handler]:
        """Declare a PATCH endpoint."""
        return self._declare("PATCH", path, **options)

    def delete(self, path: str, **options: Unpack[EndpointOptions]) -> Callable[[Handler], Handler]:
        """Declare a DELETE endpoint."""
        return self._declare("DELETE", path, **options)


def name_handlers(routes: Routes, names: dict[str, tuple[str, str]]) -> Routes:
    """Give handlers that a function made for one kind of record their own names and documentation."""
    for endpoint in routes.endpoints:
        endpoint.handler.__name__, endpoint.handler.__doc__ = names[endpoint.handler.__name__]
    return routes


def with_article(noun: str) -> str:
    """As such documentation names one record: `an issue`."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
