"""Dialling: resolves a name once, refuses it if any address is local, and checks each socket before it connects."""

import asyncio
import socket
import ssl
import time
from contextlib import suppress
from ipaddress import ip_address

from aiohttp import AddrInfoType, TCPConnector
from aiohttp.abc import AbstractResolver, ResolveResult

from ingot.kit.outbound.addresses import LOOPBACK, reason_against
from ingot.kit.outbound.allowed import is_allowed, names_addresses
from ingot.kit.outbound.errors import CANNOT_RESOLVE, UrlRefused
from ingot.kit.outbound.urls import Rules, check_syntax

_RESOLVE_SECONDS = 15
REMEMBER_SECONDS = 10
NOT_LISTED = "Requests to hosts and IP addresses not on the Allow List are denied"


class Gate:
    """Decides on addresses for one request, and remembers those of a host that is allowed by name."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._approved: set[tuple[str, int]] = set()
        self._opened: list[socket.socket] = []

    def check(self, address: str, port: int) -> None:
        """Raises `UrlRefused` for an address that may not be dialled."""
        if (address, port) in self._approved or is_allowed(self._rules.allowed, address, port):
            return
        if self._rules.deny_others:
            raise UrlRefused(NOT_LISTED)
        if self._rules.allow_local:
            return
        if (reason := reason_against(address)) is not None:
            raise UrlRefused(reason)

    def check_name(self, host: str, port: int) -> None:
        """The same for the names that mean this machine, whatever a name server makes of them."""
        name = host.lower().rstrip(".")
        if name != "localhost" and not name.endswith(".localhost"):
            return
        if not self._rules.allow_local and not is_allowed(self._rules.allowed, host, port):
            raise UrlRefused(LOOPBACK)

    def check_all(self, host: str, port: int, addresses: list[str]) -> None:
        """The same for all addresses of a name."""
        if is_allowed(self._rules.allowed, host, port):
            self._approved.update((address, port) for address in addresses)
        for address in addresses:
            self.check(address, port)

    def socket(self, info: AddrInfoType) -> socket.socket:
        """The final check, on the address that is really dialled: literal addresses never pass the resolver."""
        family, kind, protocol, _name, where = info
        self.check(str(where[0]), int(where[1]))
        opened = socket.socket(family, kind, protocol)
        self._opened.append(opened)
        return opened

    async def settle(self) -> None:
        """Wait until every connection is closed, also one with unsent bytes whose request was abandoned."""
        for _turn in range(20):
            await asyncio.sleep(0)
            left = [one for one in self._opened if one.fileno() != -1]
            if not left:
                return
            for one in left:
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)


def check_literally(url: str, rules: Rules) -> None:
    """Raise `UrlRefused` for what is refused as it stands: syntax, scheme, a literal address, a name of our own."""
    parsed = check_syntax(url, rules)
    host, port = parsed.raw_host or "", parsed.port or 0
    gate = Gate(rules)
    gate.check_name(host, port)
    if is_address(host) or (rules.deny_others and not names_addresses(rules.allowed)):
        gate.check(host, port)


def is_address(host: str) -> bool:
    """The host is an address, not a name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


class CheckedResolver(AbstractResolver):
    """A resolver that returns no refused address, nor any other address of a name that has one."""

    def __init__(self, inner: AbstractResolver, gate: Gate) -> None:
        self._inner = inner
        self._gate = gate

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self._gate.check_name(host, port)
        try:
            async with asyncio.timeout(_RESOLVE_SECONDS):
                result = await self._inner.resolve(host, port, family)
        except (OSError, UnicodeError):
            raise UrlRefused(CANNOT_RESOLVE) from None
        if not result:
            raise UrlRefused(CANNOT_RESOLVE)
        self._gate.check_all(host, port, [entry["host"] for entry in result])
        return result

    async def close(self) -> None:
        await self._inner.close()


class RememberingResolver(AbstractResolver):
    """Knows addresses for some seconds. It checks none: every request has a `CheckedResolver` in front of it."""

    def __init__(self, inner: AbstractResolver) -> None:
        self._inner = inner
        self._lock = asyncio.Lock()
        self._known: dict[tuple[str, int, int], tuple[float, list[ResolveResult]]] = {}

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        # Requests that begin together wait here for the first to ask.
        async with self._lock:
            until, result = self._known.get((host, port, family), (0.0, []))
            if time.monotonic() >= until:
                result = await self._inner.resolve(host, port, family)
                self._known[host, port, family] = (time.monotonic() + REMEMBER_SECONDS, result)
            return result

    async def close(self) -> None:
        await self._inner.close()


def connector(gate: Gate, resolver: AbstractResolver, tls: ssl.SSLContext | None) -> TCPConnector:
    """Connections that pass the gate; none is kept, so none outlives the check that allowed it."""
    return TCPConnector(
        resolver=CheckedResolver(resolver, gate),
        socket_factory=gate.socket,
        use_dns_cache=False,
        force_close=True,
        ssl=tls if tls is not None else True,
    )
