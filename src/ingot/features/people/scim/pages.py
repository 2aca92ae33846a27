"""The interface that identity providers call: `/api/scim/v2/groups/:group/Users`, after RFC 7644.

Its own application beside the API: other tokens, other errors, other content types.
"""

import logging
from collections.abc import Callable
from functools import partial

import msgspec
from sqlalchemy.exc import IntegrityError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.types import Receive, Scope, Send

from ingot.events import MembersChanged
from ingot.features.people.scim.commands.change import change
from ingot.features.people.scim.commands.membership import set_active
from ingot.features.people.scim.commands.provision import provision
from ingot.features.people.scim.entities import BASE
from ingot.features.people.scim.errors import ScimError, invalid_syntax, invalid_value
from ingot.features.people.scim.protocol import messages
from ingot.features.people.scim.protocol.attributes import PersonChange, read_operations, read_person
from ingot.features.people.scim.protocol.filters import read_filter
from ingot.features.people.scim.queries import find_group_of_token, find_person, list_people
from ingot.features.people.scim.rows import ScimPersonRow, ScimProviderRow
from ingot.instance.throttling import Throttle, address_name
from ingot.kit import request_ids, wire
from ingot.kit.errors import ApiError, Conflict, Malformed, ParamError
from ingot.kit.events import announce
from ingot.kit.faults import as_api_error
from ingot.kit.observing import observed
from ingot.kit.preconditions import require_unmodified
from ingot.kit.services import Services

log = logging.getLogger("ingot.scim")

MEDIA_TYPE = "application/scim+json"
MAX_BODY = 1024 * 1024
PER_PAGE, MOST_PER_PAGE = 20, 100
FARTHEST = 2**31 - 1
METHODS = {False: ("GET", "HEAD", "POST"), True: ("GET", "HEAD", "PATCH", "DELETE")}  # of the list, of one person

Body = dict[str, object]


def pages(services: Services) -> list[Mount]:
    """The interface; it lies below `/api`, so the application asks it first."""
    return [Mount(BASE, app=ScimApp(services))]


class ScimApp:
    """Answers one request after another; nothing escapes as a traceback."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.throttle = Throttle()
        services.memories.append(partial(self.throttle.forget, services))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, from the raw path to the answer."""
        request = Request(scope, receive)
        request_id = observed(scope).request_id = request_ids.fresh()
        try:
            response = await self._answer(request)
        except ApiError as error:
            response = _refusal(error)
        except Exception as error:
            known = as_api_error(error)
            if known is None:
                log.exception("request failed", extra={"request_id": request_id, "path": scope["path"]})
            response = _refusal(known or ScimError(500, "Internal Server Error"))
        response.headers.update(getattr(request.state, "limits", {}))
        response.headers.update(
            {"X-Request-Id": request_id, "X-Content-Type-Options": "nosniff", "X-Frame-Options": "SAMEORIGIN"}
        )
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        group, uid = _place(request)
        query = dict(wire.pairs(request.scope["query_string"]))
        provider = await self.services.pools.run(lambda: self._provider(request, group), wide=True)
        allowed = METHODS[uid is not None]
        if request.method not in allowed:
            raise ScimError(405, "Method Not Allowed", headers={"Allow": ", ".join(allowed)})
        if request.method in ("GET", "HEAD"):
            return await self._respond(lambda: self._show(provider, uid, query))
        if request.method == "DELETE":
            return await self._respond(lambda: self._remove(request, provider, uid or ""))
        body = await _read(request)
        if uid is None:
            options = read_person(body)
            return await self._respond(lambda: self._create(provider, options))
        options = read_operations(body)
        return await self._respond(lambda: self._change(provider, uid, options))

    def _provider(self, request: Request, group: str) -> ScimProviderRow:
        """The provider whose token it is. A wrong token learns nothing, not even whether the group is there."""
        scheme, _, clear = request.headers.get("authorization", "").partition(" ")
        with self.services.db.read() as conn:
            group_row = find_group_of_token(conn, clear.strip()) if scheme.lower() == "bearer" else None
        # A group's token is nobody's: its requests are counted together, apart from those of users.
        caller = address_name(request) if group_row is None else f"scim:{group_row.group_id}"
        request.state.limits = self.throttle.count(self.services, caller, is_known=group_row is not None)
        if group_row is None or group_row.full_path_lower != group.lower():
            raise ScimError(401, "Unauthorized", headers={"WWW-Authenticate": 'Bearer realm="SCIM"'})
        if not group_row.enabled or not self.services.settings.has_tier("premium"):
            raise ScimError(404, "SAML sign-in is not enabled for the group")
        return group_row

    def _show(self, provider: ScimProviderRow, uid: str | None, query: dict[str, str]) -> Response:
        if uid is not None:
            with self.services.db.read() as conn:
                return _json(messages.person(_required(find_person(conn, provider.group_id, uid=uid), uid)))
        options = read_filter(query.get("filter", ""))
        start = max(1, _number(query, "startIndex", 1))
        count = min(max(0, _number(query, "count", PER_PAGE)), MOST_PER_PAGE)
        with self.services.db.read() as conn:
            total, rows = list_people(conn, provider.group_id, options, start - 1, count)
        return _json(messages.people(total, start, count, rows))

    def _create(self, provider: ScimProviderRow, options: PersonChange) -> Response:
        try:
            return self._create_once(provider, options)
        except (IntegrityError, Conflict):
            # A concurrent request did the same; its result is visible now.
            return self._create_once(provider, options)

    def _create_once(self, provider: ScimProviderRow, options: PersonChange) -> Response:
        with self.services.db.write() as tx:
            changed = provision(tx, provider, options)
            uid = options.uid or ""
            person = _required(find_person(tx, provider.group_id, uid=uid), uid)
        self._announce_change(provider, person, changed=changed)
        return _json(messages.person(person), 201)

    def _change(self, provider: ScimProviderRow, uid: str, options: PersonChange) -> Response:
        with self.services.db.write() as tx:
            person = _required(find_person(tx, provider.group_id, uid=uid), uid)
            changed = change(tx, provider, person, options)
        self._announce_change(provider, person, changed=changed)
        return Response(status_code=204)

    def _remove(self, request: Request, provider: ScimProviderRow, uid: str) -> Response:
        """The person leaves the group; the identity stays inactive, so that they can come back to the same account."""
        with self.services.db.write() as tx:
            person = _required(find_person(tx, provider.group_id, uid=uid), uid)
            require_unmodified(request, person.updated_at)
            changed = set_active(tx, provider, person, active=False)
        self._announce_change(provider, person, changed=changed)
        return Response(status_code=204)

    def _announce_change(self, provider: ScimProviderRow, person: ScimPersonRow, *, changed: bool) -> None:
        if changed:
            announce(self.services, MembersChanged(person.user_id, group_id=provider.group_id))

    async def _respond(self, work: Callable[[], Response]) -> Response:
        return await self.services.pools.run(work, wide=True)


def _place(request: Request) -> tuple[str, str | None]:
    """The group's path, and the person's name at the provider where one is meant."""
    raw = request.scope.get("raw_path") or request.scope["path"].encode()
    parts = wire.path_segments(raw.partition(b"?")[0])[1 + BASE.count("/") :]
    if len(parts) > 3 and parts[-1] == "":
        parts = parts[:-1]  # a trailing slash
    if len(parts) not in (3, 4) or parts[0] != "groups" or parts[2] != "Users":
        raise ScimError(404, "Not Found")
    return parts[1], parts[3] if len(parts) == 4 else None


async def _read(request: Request) -> Body:
    kind = wire.media_type(request)
    if kind not in ("", "application/json") and not kind.endswith("+json"):
        raise ScimError(415, f"The provided content-type '{kind}' is not supported.")
    body = await wire.read_body(request, MAX_BODY)
    try:
        result = dict(await wire.beside_the_loop(wire.json_values, body))
    except Malformed:
        raise invalid_syntax("The body is not valid JSON") from None
    except ParamError as refusal:  # more values, or deeper ones, than a request may have
        raise invalid_syntax(refusal.text) from None
    if not result:
        raise invalid_syntax("The body must be a JSON object")
    return result


def _number(query: dict[str, str], name: str, otherwise: int) -> int:
    text = query.get(name, "").strip()
    if not text:
        return otherwise
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise invalid_value(f"{name} must be a number")
    return min(int(digits[:20]), FARTHEST) * (-1 if text.startswith("-") else 1)


def _required(person: ScimPersonRow | None, uid: str) -> ScimPersonRow:
    if person is None:
        raise ScimError(404, f"Resource {uid} not found")
    return person


def _json(body: Body, status: int = 200) -> Response:
    headers = {"Cache-Control": "no-store"}
    return Response(msgspec.json.encode(body), status_code=status, headers=headers, media_type=MEDIA_TYPE)


def _refusal(error: ApiError) -> Response:
    known = error if isinstance(error, ScimError) else ScimError(error.status, error.text, headers=error.headers)
    response = _json(known.body(), known.status)
    response.headers.update(known.headers)
    return response
