"""Rate limits: off unless the setting or an administrator switches them on, then the same over all nodes.

`Throttle` is asked for every request; `limit_endpoint` is for the few endpoints with a limit of their own.
"""

import math
import threading
import time
from contextvars import Context
from email.utils import formatdate
from typing import Any

from ingot.instance.settings import application_settings
from ingot.kit.call import Call
from ingot.kit.db import Database
from ingot.kit.errors import ApiError
from ingot.kit.rate_windows import Window, hit

REMEMBER_SECONDS = 5.0


class TooManyRequests(ApiError):
    """429 Too Many Requests"""

    status = 429


class EndpointLimited(TooManyRequests):
    """This endpoint has been requested too many times. Try again later."""

    def body(self) -> object:
        """The body that clients of these endpoints know."""
        return {"message": {"error": self.text}}


class Throttle:
    """The request limits: per user when authenticated, else per address."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._until = 0.0
        self._values: dict[str, Any] = {}

    def __call__(self, call: Call) -> dict[str, str]:
        """Headers for the answer; raises when the caller is over the limit."""
        name = "throttle_unauthenticated_api" if call.actor.is_anonymous else "throttle_authenticated_api"
        values = self._settings(call)
        if not (call.services.settings.rate_limits or values[f"{name}_enabled"]):
            return {}
        limit, period = values[f"{name}_requests_per_period"], values[f"{name}_period_in_seconds"]
        window = hit(call.services.db, f"{name}:{_caller(call)}", period)
        headers = _headers(name, limit, period, window)
        if window.observed > limit:
            raise TooManyRequests(headers={**headers, "Retry-After": str(_seconds_left(window))})
        return headers

    def _settings(self, call: Call) -> dict[str, Any]:
        with self._lock:
            if time.monotonic() < self._until:
                return self._values
        # In a context of its own: whether this request happens to refresh them must not show in its query count.
        values = Context().run(_read_settings, call.services.db)
        with self._lock:
            self._values, self._until = values, time.monotonic() + REMEMBER_SECONDS
        return values


def limit_endpoint(call: Call, name: str, limit: int, *, period: int = 60, scope: str = "") -> None:
    """Raise when this caller used the endpoint more than `limit` times in the period; 0 means no limit.

    `name` is the bucket (several endpoints may share one), `scope` narrows it further, for instance to a namespace.
    """
    if not call.services.settings.rate_limits or limit == 0:
        return
    window = hit(call.services.db, f"endpoint:{name}:{_caller(call)}:{scope}", period)
    if window.observed > limit:
        headers = {**_headers(name, limit, period, window), "Retry-After": str(_seconds_left(window))}
        raise EndpointLimited(headers=headers)


def _read_settings(db: Database) -> dict[str, Any]:
    with db.read() as conn:
        return application_settings(conn)


def _caller(call: Call) -> str:
    if not call.actor.is_anonymous:
        return f"user:{call.actor.user_id}"
    client = call.request.client
    return f"ip:{client.host if client is not None else 'unknown'}"


def _headers(name: str, limit: int, period: int, window: Window) -> dict[str, str]:
    return {
        "RateLimit-Name": name,
        "RateLimit-Limit": str(math.ceil(limit * 60 / period)),
        "RateLimit-Observed": str(window.observed),
        "RateLimit-Remaining": str(max(0, limit - window.observed)),
        "RateLimit-Reset": str(window.resets_at),
        "RateLimit-ResetTime": formatdate(window.resets_at, usegmt=True),
    }


def _seconds_left(window: Window) -> int:
    return max(1, window.resets_at - int(time.time()))
