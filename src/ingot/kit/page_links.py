"""The addresses of other pages of a list: this request's, with all its effective parameters and another page."""

from functools import lru_cache
from typing import Any, Protocol
from urllib.parse import quote, quote_plus

from sqlalchemy import Connection
from starlette.requests import Request

from ingot.kit.endpoint import Endpoint
from ingot.kit.params import Params

SHORT = 100  # characters of a parameter whose form is remembered
SECRETS = frozenset({"private_token", "access_token", "bearer_token", "job_token", "token"})


class ListCall(Protocol):
    """What a page needs of the call that it answers."""

    request: Request
    endpoint: Endpoint
    path: dict[str, str]
    values: dict[str, Any]
    params: Any  # a parameter set with `page`, `per_page` and `pagination`
    base_url: str

    @property
    def conn(self) -> Connection:
        """The call's read connection."""


class PageLinks:
    """The links of one answer; their common part is built once."""

    def __init__(self, call: ListCall, per_page: int, **more: str) -> None:
        parts = dict(_defaults(call.endpoint.params))
        sent = {name: value for name, value in call.values.items() if name not in SECRETS}
        for name, value in {**call.path, **sent, "per_page": per_page, **more}.items():
            parts[name] = _flatten(name, value)
        names = [name for name in sorted(parts) if parts[name]]
        self._start = f"{call.base_url}{_quoted(call.request.scope['raw_path'])}?"
        self._before = [parts[name] for name in names if name < "page"]
        self._after = [parts[name] for name in names if name > "page"]

    def url(self, page: int | None) -> str:
        """The address of a page; None for lists that continue by a key."""
        number = [] if page is None else [f"page={page}"]
        return self._start + "&".join([*self._before, *number, *self._after])

    def link(self, relation: str, page: int | None) -> str:
        """One entry of the `Link` header."""
        return f'<{self.url(page)}>; rel="{relation}"'


_known_defaults: dict[type[Params], dict[str, str]] = {}


def _defaults(params: type[Params]) -> dict[str, str]:
    """The default parameters, in the form of a query string."""
    result = _known_defaults.get(params)
    if result is None:
        fields = [field for field in params.fields.values() if field.default is not None]
        result = _known_defaults[params] = {field.wire: _flatten(field.wire, field.default) for field in fields}
    return result


def _flatten(name: str, value: object) -> str:
    """The parameter in the form of a query string; empty where there is no value."""
    if value is None:
        return ""
    if isinstance(value, dict):
        return "&".join(filter(None, (_flatten(f"{name}[{key}]", inner) for key, inner in value.items())))
    if isinstance(value, list):
        return "&".join(filter(None, (_flatten(f"{name}[]", inner) for inner in value)))
    text = ("true" if value else "false") if isinstance(value, bool) else str(value)
    return (_pair if len(name) + len(text) <= SHORT else _pair.__wrapped__)(name, text)


@lru_cache(1000)
def _pair(name: str, text: str) -> str:
    return f"{quote_plus(name)}={quote_plus(text)}"


@lru_cache(200)
def _quoted(path: bytes) -> str:
    return quote(path.decode("latin-1"), safe="/%:@!$&'()*+,;=~-._")
