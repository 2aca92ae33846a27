"""Groups restricted to some addresses: for all other callers they and everything below them do not exist.

The rules of all groups are few; each process keeps them while settled data have the same version (where a request does
not know it: for a moment), and puts on the actor which groups are closed to the caller's address. What an actor may see
(`access.visibility`) leaves those out.
"""

from collections.abc import Hashable
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from msgspec.structs import replace
from sqlalchemy import Connection, delete, insert, select
from starlette.requests import Request

from ingot.access.tables import group_address_ranges
from ingot.kit.actor import Actor
from ingot.kit.db import Database
from ingot.kit.latest import Latest
from ingot.kit.services import Services

Networks = tuple[IPv4Network | IPv6Network, ...]
Rules = dict[int, Networks]


def parse_ranges(text: str | None) -> Networks:
    """`10.0.0.0/8,192.0.2.7`; raises ValueError where one is no address."""
    return tuple(ip_network(part.strip(), strict=False) for part in (text or "").split(",") if part.strip())


def store_ranges(tx: Connection, group_id: int, text: str | None) -> None:
    """Restrict the group to these addresses; without any, there is no restriction."""
    table = group_address_ranges
    tx.execute(delete(table).where(table.c.group_id == group_id))
    if parse_ranges(text):
        tx.execute(insert(table).values(group_id=group_id, ranges=text))


def forget_ranges(services: Services) -> None:
    """Clear the cached rules after a change."""
    _latest.forget(services.db)


def limit_by_address(services: Services, actor: Actor, request: Request, version: Hashable | None = None) -> Actor:
    """The actor, with the groups that are closed to the address of the request."""
    client = request.scope.get("client")
    return limit_by_host(services, actor, client[0] if client else "", version)


def limit_by_host(services: Services, actor: Actor, host: str, version: Hashable | None = None) -> Actor:
    """The actor, with the groups that are closed to this address; administrators come from anywhere."""
    rules = _latest.get(services.db, version or services.db.quick_versions().settled)
    if not rules or actor.is_admin:
        return actor
    closed = closed_groups(rules, host)
    return replace(actor, closed_groups=closed) if closed else actor


def closed_groups(rules: Rules, host: str) -> tuple[int, ...]:
    """The groups whose ranges do not contain the address; an unreadable address is in no range."""
    try:
        address = ip_address(host)
    except ValueError:
        return tuple(rules)
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return tuple(
        group_id for group_id, networks in rules.items() if not any(address in network for network in networks)
    )


_ALL_RANGES = select(group_address_ranges)


def _read(db: Database) -> Rules:
    with db.read() as conn:
        return {row.group_id: parse_ranges(row.ranges) for row in conn.execute(_ALL_RANGES)}


_latest: Latest[Rules] = Latest(_read)
