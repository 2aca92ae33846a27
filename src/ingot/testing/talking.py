"""Calls of the API with only the standard library, so that tests need no second client."""

import json
import urllib.error
import urllib.request
from typing import Any

SECONDS = 120.0


class CallFailed(Exception):
    """The server refused a call; `status` and `body` say how."""

    def __init__(self, method: str, url: str, status: int, body: str) -> None:
        super().__init__(f"{method} {url}: {status} {body[:500]}")
        self.status = status
        self.body = body


def call(method: str, url: str, headers: dict[str, str], body: object = None) -> Any:
    """The JSON of an answer, or None where it has no body."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)  # noqa: S310 - the server that was started
    if data is not None:
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:  # noqa: S310
            content = answer.read()
    except urllib.error.HTTPError as error:
        with error:
            raise CallFailed(method, url, error.code, error.read().decode(errors="replace")) from None
    return json.loads(content) if content else None
