"""Requests beside the API leave what its own leave: a log line, a count, a span, and their parts where they are slow.

Who answers says by which route (`observed`). A request that nobody named is not told of: those of the API and of git
tell of themselves, and whoever asks for health asks often. Paths are left out, because some are secrets.
"""

import time

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ingot.kit import times
from ingot.kit.observe import Summary, observe_request
from ingot.kit.times import noting_times

_KEY = "ingot.observation"
DISCONNECTED = 499


class Observation:
    """What whoever answers a request says of it."""

    __slots__ = ("path", "request_id", "route", "user_id")

    def __init__(self) -> None:
        self.route = ""
        self.path = ""  # where it may be shown
        self.request_id = ""
        self.user_id: int | None = None


def observed(scope: Scope) -> Observation:
    """That of this request."""
    result: Observation = scope.get(_KEY) or Observation()
    return result


class Named:
    """An application all of whose requests have one route."""

    def __init__(self, app: ASGIApp, route: str) -> None:
        self._app, self._route = app, route

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Say the route, and answer."""
        observed(scope).route = self._route
        await self._app(scope, receive, send)


class Observing:
    """Tells of each request when its answer begins; `slow` are the seconds from which on its parts are told too."""

    def __init__(self, app: ASGIApp, slow: float) -> None:
        self._app, self._slow = app, slow

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        observation = scope[_KEY] = Observation()
        noted, started, is_told = times.make(), time.perf_counter(), False

        def tell(status: int) -> None:
            nonlocal is_told
            if is_told or not observation.route:
                return
            is_told = True
            summary = Summary(observation.route, observation.user_id, noted.number("statement"), times=noted)
            summary = summary._replace(path=observation.path or observation.route)
            seconds = time.perf_counter() - started
            observe_request(Request(scope), status, summary, observation.request_id, seconds, self._slow)

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                tell(message["status"])
            await send(message)

        try:
            with noting_times(noted):
                await self._app(scope, receive, send_on)
        finally:
            tell(DISCONNECTED)
