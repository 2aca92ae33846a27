"""Who may read `/-/metrics` without a token: this machine, and the addresses in a setting."""

from urllib.parse import urlsplit

from starlette.requests import Request

from ingot.kit.networks import contains, is_loopback, parse_networks
from ingot.settings import Settings

# Proxies usually add at least one of them.
FORWARDING = ("x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "forwarded", "via")


def is_open_to(request: Request, settings: Settings) -> bool:
    """Whether the caller's address alone is enough.

    The address is the one that the trusted proxies report. Nobody becomes loopback by a forwarded header, and where
    `base_url` says that people come by another way, a proxy on this machine may be what calls from loopback.
    """
    host = request.client.host if request.client is not None else ""
    is_forwarded = "ingot.foreign_host" in request.scope or any(name in request.headers for name in FORWARDING)
    if is_loopback(host):
        allowed = contains(parse_networks(settings.metrics_addresses), host)
        return not is_forwarded and (allowed or (settings.metrics_loopback and _is_local(settings.base_url)))
    return contains(parse_networks(settings.metrics_addresses), host)


def _is_local(base_url: str) -> bool:
    """No address is configured, or one of this machine: no proxy serves others."""
    name = urlsplit(base_url).hostname or "localhost"
    return name == "localhost" or is_loopback(name)
