"""Where a hook delivers: the address with its variables filled in, and what may be called."""

from collections.abc import Mapping
from urllib.parse import quote

from sqlalchemy import Connection
from yarl import URL

from ingot.features.integrations.web_hooks.errors import InvalidUrl
from ingot.instance import outbound
from ingot.kit.outbound import Rules, UrlRefused, check_literally
from ingot.kit.patterns import pattern
from ingot.kit.services import Services

_VARIABLE = pattern(r"\{(?P<name>[^{}]*)\}")
LOCAL_FOR_SYSTEM = "allow_local_requests_from_system_hooks"


def rules_for(services: Services, conn: Connection, kind: str) -> Rules:
    """What deliveries of this kind of hook may reach."""
    setting = LOCAL_FOR_SYSTEM if kind == "system" else outbound.LOCAL_FOR_HOOKS
    return outbound.outbound_rules(services, conn, schemes=("http", "https"), local=setting)


def filled_in(url: str, variables: Mapping[str, str]) -> str:
    """The URL with its variables; `InvalidUrl` where one has no value."""

    def value(name: str) -> str:
        if name not in variables:
            raise InvalidUrl
        return quote(variables[name], safe="")

    return _VARIABLE.sub(lambda match: value(match["name"]), url)


def used_variables(url: str) -> set[str]:
    """The names of the variables in a URL."""
    return {match["name"] for match in _VARIABLE.finditer(url)}


def require_callable(url: str, variables: Mapping[str, str], rules: Rules) -> None:
    """422 for what is no address, or one that may not be called. Names are looked up at each delivery."""
    authority = url.partition("://")[2].partition("/")[0]
    if _VARIABLE.search(authority.rpartition("@")[2]):
        raise InvalidUrl  # the host itself must not depend on a secret
    try:
        check_literally(filled_in(url, variables), rules)
    except UrlRefused:
        raise InvalidUrl from None


def without_user(url: str) -> tuple[str, tuple[str, str] | None]:
    """The URL as it is dialled, and the user with password that stood in it."""
    parsed = URL(url)
    if parsed.user is None:
        return url, None
    scheme, _, rest = url.partition("://")
    end = min((rest.index(mark) for mark in "/?#" if mark in rest), default=len(rest))
    host = rest[:end].rpartition("@")[2]
    return f"{scheme}://{host}{rest[end:]}", (parsed.user, parsed.password or "")


def masked(url: str) -> str:
    """The URL for the log: without the user and password in it."""
    bare, user = without_user(url)
    scheme, _, rest = bare.partition("://")
    return bare if user is None else f"{scheme}://*****:*****@{rest}"
