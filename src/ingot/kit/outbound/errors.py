"""Errors of outgoing requests. No text contains an address, a query string or a credential."""

import asyncio
import ssl


class UrlRefused(Exception):
    """The address may not be called; the text says why, to follow `is blocked: `."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class OutboundFailed(Exception):
    """The other side could not be reached or broke off."""


class OutboundTimeout(OutboundFailed):
    """The other side took too long."""


class BodyTooLarge(OutboundFailed):
    """The other side sent more than allowed."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the reply is larger than {limit} bytes")
        self.limit = limit


SILENT = "Silent mode enabled"
CANNOT_RESOLVE = "Host cannot be resolved or invalid"


def translated(error: Exception) -> Exception:
    """Our error for one of the HTTP library; any other comes back as it is."""
    import aiohttp  # late: most processes never call out

    match error:
        case aiohttp.ClientConnectorDNSError():
            return UrlRefused(CANNOT_RESOLVE)
        case TimeoutError() | asyncio.TimeoutError():
            return OutboundTimeout("the server did not answer in time")
        case aiohttp.ClientConnectorCertificateError() | ssl.SSLCertVerificationError():
            return OutboundFailed("the server's certificate is not trusted")
        case aiohttp.ClientSSLError() | ssl.SSLError():
            return OutboundFailed("no secure connection could be made")
        case aiohttp.ClientConnectorError() | ConnectionRefusedError():
            return OutboundFailed("the server could not be reached")
        case aiohttp.ClientPayloadError():
            return OutboundFailed("the connection broke off before the end")
        case aiohttp.InvalidURL():
            return UrlRefused("URI is invalid")
        case aiohttp.ClientError() | OSError():
            return OutboundFailed("the connection broke off")
    return error
