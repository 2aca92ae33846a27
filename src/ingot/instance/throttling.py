"""Rate limits: off unless the setting or an administrator switches them on, then the same over all nodes.

`Throttle` is asked for every request; `limit_endpoint` is for the few endpoints with a limit of their own, per caller,
for all callers of one address together and, where they name a project, for all its callers together. What is served
beside the API asks `Throttle.count` and `limit_use`, and counts in the same windows.
"""

import math
import time
from collections.abc import Hashable
from email.utils import formatdate
from functools import partial
from typing import Any, NamedTuple

from starlette.requests import Request

from ingot.instance.settings import application_settings
from ingot.kit.actor import Actor
from ingot.kit.call import Call
from ingot.kit.db import Database
from ingot.kit.errors import ApiError
from ingot.kit.latest import Latest
from ingot.kit.networks import subscriber_of
from ingot.kit.rate_counts import Window
from ingot.kit.rate_windows import add
from ingot.kit.services import Services

RETRY_LATER = "Retry later"
ADDRESS = "ip:"


class TooManyRequests(ApiError):
    """Retry later"""

    status = 429


class EndpointLimited(TooManyRequests):
    """This endpoint has been requested too many times. Try again later."""

    def body(self) -> object:
        """The body that clients of these endpoints know."""
        return {"message": {"error": self.text}}


class _Limit(NamedTuple):
    is_on: bool  # by the administrators; the setting of the server switches on both
    name: str
    number: int
    period: int  # seconds
    text: str

    def key_of(self, caller: str) -> str:
        """The name by which a caller's requests are counted."""
        return f"{self.name}:{caller}"

    def headers_of(self, window: Window) -> dict[str, str]:
        """Headers for the answer; raises when there were too many."""
        headers = _headers(self.name, self.number, self.period, window)
        if window.observed > self.number:
            raise TooManyRequests(self.text, headers={**headers, "Retry-After": str(_seconds_left(window))})
        return headers


_Limits = tuple[_Limit, _Limit]  # of strangers, and of those whom the instance knows


class Throttle:
    """The request limits: per user when authenticated, else per address."""

    def __init__(self) -> None:
        self._limits: Latest[_Limits] = Latest(_read_limits)

    def __call__(self, call: Call) -> dict[str, str]:
        """Headers for the answer; raises when the caller is over the limit."""
        services = call.services
        limit = self._limits.get(services.db, call.versions.settled)[call.actor.user_id is not None]
        # Most instances have no limits, and each request asks.
        if not (limit.is_on or services.settings.rate_limits):
            return {}
        return _hit(services, limit, _caller(call.actor, call.request))

    def count(
        self, services: Services, caller: str, *, is_known: bool, version: Hashable | None = None
    ) -> dict[str, str]:
        """The same for one request of `caller`, who has said who they are or has not."""
        limit = self._limits.get(services.db, version)[is_known]
        return _hit(services, limit, caller) if limit.is_on or services.settings.rate_limits else {}

    def count_in_memory(
        self, services: Services, actor: Actor, request: Request, version: Hashable | None
    ) -> dict[str, str] | None:
        """As `count`, on an event loop; None where the database has to be asked, and nothing was counted."""
        limits = self._limits.known(services.db, version)
        if limits is None:
            return None
        limit = limits[actor.user_id is not None]
        if not (limit.is_on or services.settings.rate_limits):
            return {}
        key = limit.key_of(_caller(actor, request))
        window = services.rate_counts.hit_in_memory(key, limit.period, limit.number)
        return None if window is None else limit.headers_of(window)

    def forget(self, services: Services) -> None:
        """Read the limits anew."""
        self._limits.forget(services.db)


def _hit(services: Services, limit: _Limit, caller: str) -> dict[str, str]:
    key, tell = limit.key_of(caller), partial(add, services.db)
    return limit.headers_of(services.rate_counts.hit(tell, key, limit.period, limit.number))


def limit_endpoint(
    call: Call, name: str, limit: int, *, period: int = 60, scope: str = "", project_id: int | None = None
) -> None:
    """Raise when this caller used the endpoint more than `limit` times in the period; 0 means no limit.

    `name` is the bucket (several endpoints may share one), `scope` narrows it further, for instance to a namespace.
    `project_id` is the project that bears the work, whose callers have a limit together.
    """
    caller = _caller(call.actor, call.request)
    address = address_name(call.request)
    limit_use(call.services, caller, name, limit, address=address, period=period, scope=scope, project_id=project_id)


def limit_use(
    services: Services,
    caller: str,
    name: str,
    limit: int,
    *,
    address: str,
    period: int = 60,
    scope: str = "",
    project_id: int | None = None,
) -> None:
    """As `limit_endpoint`, where there is no call; `address` is where the caller comes from (`address_name`)."""
    if not services.settings.rate_limits or limit == 0:
        return
    _use(services, name, f"{caller}:{scope}", limit, period)
    # Whoever is over their own limit has been refused by now, and takes nothing from what others share with them.
    beside = limit * services.settings.rate_limit_callers_per_address
    if beside:
        _use(services, f"{name}_per_address", address, beside, period)
    together = limit * services.settings.rate_limit_callers_per_project
    if project_id is not None and together:
        # Strangers, who may have any number of addresses, do not use up what the others have.
        group = "strangers" if caller.startswith(ADDRESS) else "users"
        _use(services, f"{name}_per_project", f"project:{project_id}:{group}", together, period)


def _use(services: Services, name: str, whose: str, limit: int, period: int) -> None:
    window = services.rate_counts.hit(partial(add, services.db), f"endpoint:{name}:{whose}", period, limit)
    if window.observed > limit:
        headers = {**_headers(name, limit, period, window), "Retry-After": str(_seconds_left(window))}
        raise EndpointLimited(headers=headers)


def _read_limits(db: Database) -> _Limits:
    with db.read() as conn:
        values = application_settings(conn)
    unknown, known = (_limit_in(values, f"throttle_{who}_api") for who in ("unauthenticated", "authenticated"))
    return unknown, known


# Any: settings are of many types.
def _limit_in(values: dict[str, Any], name: str) -> _Limit:
    return _Limit(
        values[f"{name}_enabled"], name, values[f"{name}_requests_per_period"], values[f"{name}_period_in_seconds"],
        values["rate_limiting_response_text"] or RETRY_LATER,
    )  # fmt: skip


def _caller(actor: Actor, request: Request) -> str:
    return address_name(request) if actor.user_id is None else user_name(actor.user_id)


def user_name(user_id: int) -> str:
    """The name by which a user is counted."""
    return f"user:{user_id}"


def address_name(request: Request) -> str:
    """The name by which a caller is counted whom nobody knows."""
    client = request.client
    return f"{ADDRESS}{subscriber_of(client.host) if client is not None else 'unknown'}"


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
