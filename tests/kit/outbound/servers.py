"""Real local servers, a trap that counts connections, and name servers that tell stories."""

import asyncio
import datetime as dt
import select
import socket
import ssl
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from ipaddress import ip_address
from pathlib import Path

from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Trap:
    """Listens on every address of this machine; whoever connects is seen."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self.port = int(listener.getsockname()[1])

    def was_touched(self) -> bool:
        return bool(select.select([self._listener], [], [], 0)[0])


@contextmanager
def a_trap() -> Iterator[Trap]:
    dual = socket.has_dualstack_ipv6()
    family, address = (socket.AF_INET6, "::") if dual else (socket.AF_INET, "0.0.0.0")
    with socket.create_server((address, 0), family=family, dualstack_ipv6=dual, backlog=64) as listener:
        yield Trap(listener)


class StoryTeller(AbstractResolver):
    """Answers each question with the next list of addresses; the last one for ever."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self._answers = list(answers)
        self.asked: list[str] = []

    def __call__(self) -> "StoryTeller":
        return self

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self.asked.append(host)
        addresses = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET if ip_address(address).version == 4 else socket.AF_INET6,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST,
            )
            for address in addresses
        ]

    async def close(self) -> None:
        pass


@asynccontextmanager
async def serving(*routes: web.RouteDef, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    app = web.Application(client_max_size=1 << 30)
    app.add_routes(routes)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls)
    await site.start()
    try:
        yield runner.addresses[0][1]
    finally:
        # A client that gives up early can be gone before its connection was accepted, or while it is being closed.
        await some_turns()
        await runner.cleanup()
        await some_turns()


async def some_turns() -> None:
    for _turn in range(10):
        await asyncio.sleep(0.001)


def certified(name: str, folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A server's context with a certificate for `name`, and the context of a client that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = folder / "server.pem"
    pem.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(pem)
    return server, ssl.create_default_context(cadata=certificate.public_bytes(serialization.Encoding.PEM).decode())
