"""The request as the API reads it: its headers are looked up a dozen times, so they are found without a search."""

from typing import Any

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import Scope

from ingot.kit.ready_response import wire_name

# Where a scope says when its request came, by `perf_counter`.
ARRIVAL = "ingot.arrival"


class IndexedHeaders(Headers):
    """Headers by name; of several with one name, the first counts."""

    # The library's own makes a copy of the headers.
    def __init__(self, scope: Scope) -> None:
        self._list = scope["headers"]
        self._first = dict(reversed(self._list))

    def __getitem__(self, key: str) -> str:
        """The value of a header."""
        return self._first[wire_name(key)].decode("latin-1")

    def __contains__(self, key: object) -> bool:
        """The header was sent."""
        return wire_name(str(key)) in self._first

    # Any: as the library's.
    def get(self, key: str, default: Any = None) -> Any:
        """The value of a header, or the default."""
        value = self._first.get(wire_name(key))
        return default if value is None else value.decode("latin-1")


class ApiRequest(Request):
    """A request with indexed headers."""

    @property
    def method(self) -> str:
        """As the library's, which is asked for as often."""
        name: str = self.scope["method"]
        return name

    @property
    def headers(self) -> Headers:
        """The headers of the request."""
        known: Headers | None = self.__dict__.get("_headers")
        if known is None:
            known = self._headers = IndexedHeaders(self.scope)
        return known
