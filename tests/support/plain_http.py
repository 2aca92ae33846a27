"""HTTP without the checks of the suite's client: for pages, git, signed addresses and other hosts.

The same calls as httpx has, but patient: its five seconds are too short for a busy machine. Nothing here speaks TLS, so
all clients share one idle context: to make one and load certificates takes longer than most calls.
"""

import ssl
from collections.abc import Callable
from functools import partial
from typing import Any

import httpx

PATIENCE = 120.0  # seconds
CONTEXT = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def client(**options: Any) -> httpx.Client:
    """For several calls in a row; options as those of `httpx.Client`."""
    return httpx.Client(**{"timeout": PATIENCE, "verify": CONTEXT, **options})


def request(method: str, url: str, **options: Any) -> httpx.Response:
    """One call; options as those of `httpx.request`."""
    return httpx.request(method, url, **{"timeout": PATIENCE, "verify": CONTEXT, **options})


Call = Callable[..., httpx.Response]
get: Call = partial(request, "GET")
head: Call = partial(request, "HEAD")
options: Call = partial(request, "OPTIONS")
post: Call = partial(request, "POST")
put: Call = partial(request, "PUT")
delete: Call = partial(request, "DELETE")
