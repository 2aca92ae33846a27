"""The listening socket: bound early, so that a port in use is reported before anything else starts."""

import errno
import socket

from ingot.cli.refusals import Refusal

BACKLOG = 2048
HOSTS = "use --host 127.0.0.1, or 0.0.0.0 for all addresses of this machine"


def bind(host: str, port: int) -> socket.socket:
    """A bound socket, which several processes may share."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise Refusal(f"{host} is not an address of this machine: {error.strerror}; {HOSTS}.") from error
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise Refusal(_sentence(host, port, error)) from error
    listener.listen(BACKLOG)
    # Forked processes have it, but not git: what still runs after a crash would hold the port.
    return listener


def url_of(listener: socket.socket, base_url: str = "", scheme: str = "http") -> str:
    """The public address of this server."""
    if base_url:
        return base_url.rstrip("/")
    host, port = listener.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        host = "localhost"
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def _sentence(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} on {host} is already in use. Choose another one with --port."
    if error.errno == errno.EACCES:
        return f"Port {port} requires elevated privileges. Choose a port above 1023 with --port."
    return f"Cannot listen on {host}:{port}: {error.strerror}; {HOSTS}."
