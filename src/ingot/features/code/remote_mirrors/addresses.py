"""Addresses of push mirrors: what may be named, what of it is shown, and where it leads."""

import msgspec
from sqlalchemy import Connection
from yarl import URL

from ingot.gitstore.destinations import PORTS
from ingot.instance.outbound import outbound_rules
from ingot.kit.errors import Invalid
from ingot.kit.outbound import SILENT, Outbound, Rules, UrlRefused, addresses_blocking, check_literally, check_syntax
from ingot.kit.patterns import pattern
from ingot.kit.services import Services

SCHEMES = tuple(PORTS)
_USER = pattern(r"[A-Za-z0-9][^\x00-\x20]*")
# Git decodes the whole address of SSH before it looks for its parts, so a user with a slash would end the host.
_SSH_USER = pattern(r"[A-Za-z0-9][A-Za-z0-9._+-]*")


class Address(msgspec.Struct, frozen=True):
    """The address without a login, the login, and the address with stars in its place."""

    url: str
    login: str | None
    shown: str


def mirror_rules(services: Services, conn: Connection) -> Rules:
    """What mirrors may reach."""
    return outbound_rules(services, conn, SCHEMES)


def checked_address(services: Services, conn: Connection, url: str) -> Address:
    """The address, unless it is refused as it stands; its name is resolved before each update."""
    rules = mirror_rules(services, conn)
    try:
        parsed = check_syntax(_with_port(url), rules)
        check_literally(_with_port(url), rules)
        if parsed.user and not _USER.fullmatch(parsed.user):
            raise UrlRefused("Username needs to start with an alphanumeric character")
        has_login = parsed.raw_user is not None or parsed.raw_password is not None
        if parsed.scheme == "ssh" and has_login and not _SSH_USER.fullmatch(parsed.user or ""):
            raise UrlRefused("Username is invalid")
    except UrlRefused as refused:
        raise Invalid({"url": [f"is blocked: {refused.reason}"]}) from None
    login = parsed.raw_user if parsed.raw_password is None else f"{parsed.raw_user or ''}:{parsed.raw_password}"
    plain = parsed.with_user(None).with_query(None).with_fragment(None)
    plain = plain.with_host((plain.raw_host or "").rstrip("."))
    stars = {None: "", parsed.raw_user: "*****@"}.get(login, "*****:*****@")
    text = _without_port(url, plain)
    return Address(text, login or None, text.replace("://", f"://{stars if login else ''}", 1))


def dialled_address(services: Services, conn: Connection, url: str) -> str:
    """The address that the host of a mirror stands for now; raises `UrlRefused`."""
    rules = mirror_rules(services, conn)
    if rules.is_silent:
        raise UrlRefused(SILENT)
    outbound: Outbound = services.outbound or Outbound()
    return addresses_blocking(outbound, _with_port(url), rules)[0]


def _with_port(url: str) -> str:
    """The same with the port of its scheme: the rules are about ports, too."""
    try:
        parsed = URL(url)
        if parsed.scheme in ("ssh", "git") and parsed.raw_host and not parsed.explicit_port:
            return str(parsed.with_port(PORTS[parsed.scheme]))
    except ValueError:
        pass  # refused by the rules, which say why
    return url


def _without_port(url: str, plain: URL) -> str:
    return str(plain if URL(url).explicit_port else plain.with_port(None)).rstrip("/")
