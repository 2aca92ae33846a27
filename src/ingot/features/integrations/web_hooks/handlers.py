"""What the endpoints of all three kinds of hooks share."""

from uuid import uuid4

import msgspec

from ingot.access.call import Call
from ingot.features.integrations.web_hooks import commands, queries
from ingot.features.integrations.web_hooks.addresses import filled_in, rules_for
from ingot.features.integrations.web_hooks.entities import (
    Resent,
    SystemHook,
    hook_entity,
    present_deliveries,
    present_hooks,
)
from ingot.features.integrations.web_hooks.late_parts import addressed, complete
from ingot.features.integrations.web_hooks.log import digest_of, record
from ingot.features.integrations.web_hooks.pairs import opened
from ingot.features.integrations.web_hooks.params import (
    CreateGroupHook,
    CreateProjectHook,
    CreateSystemHook,
    ListDeliveries,
    OneDelivery,
    OneHook,
    OnePair,
    SetPair,
    UpdateGroupHook,
    UpdateProjectHook,
    UpdateSystemHook,
)
from ingot.features.integrations.web_hooks.queries import Place
from ingot.features.integrations.web_hooks.rows import WebHookRow
from ingot.features.integrations.web_hooks.sending import Outcome, Request, Sender
from ingot.features.integrations.web_hooks.states import EXECUTABLE, RESTING, alert_status
from ingot.features.integrations.web_hooks.tables import web_hooks
from ingot.features.integrations.web_hooks.testing import sample
from ingot.instance import is_on
from ingot.kit.endpoint import Answer
from ingot.kit.entity import MessageOnly
from ingot.kit.errors import ApiError, Failure, ParamError, Unprocessable
from ingot.kit.outbound import Rules
from ingot.kit.rate_windows import hit

CREATED = MessageOnly(message="201 Created")
MOST_PER_MINUTE = 5


class TooOften(ApiError):
    """This endpoint has been requested too many times. Try again later."""

    status = 429

    def body(self) -> object:
        return {"message": {"error": self.text}}


def place_of(call: Call) -> Place:
    """The project or group that the guard loaded, else the instance."""
    if call.project_or_none is not None:
        return Place("project", call.project.id)
    return Place("group", call.group.id) if call.group_or_none is not None else Place("system")


def list_hooks(call: Call) -> Answer:
    """A page of the hooks of the place."""
    place = place_of(call)
    return call.page(
        queries.listed(place), present_hooks(with_keys=place.kind != "project"), keyset=queries.OLDEST_FIRST
    )


def get_hook(call: Call[OneHook]) -> SystemHook:
    """One hook of the place."""
    return hook_entity(call.conn, _hook(call))


def _hook(call: Call[OneHook]) -> WebHookRow:
    return queries.get_hook(call.conn, place_of(call), call.params.hook_id)


def create_hook(call: Call[CreateProjectHook | CreateGroupHook | CreateSystemHook]) -> SystemHook:
    """A new hook of the place."""
    with call.write() as tx:
        row = commands.create_hook(tx, call.services, place_of(call), call.params.url, call.params)
    return hook_entity(call.conn, row)


def update_hook(call: Call[UpdateProjectHook | UpdateGroupHook | UpdateSystemHook]) -> SystemHook:
    """Change a hook of the place."""
    options = call.params
    if not options.sent - {"hook_id", "id"}:
        _hook(call)
        raise ParamError("No parameters provided")
    with call.write() as tx:
        row = commands.update_hook(tx, call.services, place_of(call), options.hook_id, options.url, options)
    return hook_entity(call.conn, row)


def delete_hook(call: Call[OneHook]) -> None:
    """Remove a hook of the place, with its log and what waits for it."""
    row = _hook(call)
    with call.write() as tx:
        if call.delete_rows(tx, web_hooks, web_hooks.c.id == row.id):
            commands.report_hook(tx, "delete", row)


def set_pair(call: Call[SetPair], column: str) -> None:
    """Set one variable of the URL, or one header."""
    row = _hook(call)
    with call.write() as tx:
        commands.set_pair(tx, call.services, row, column, call.params.key, call.params.value)


def unset_pair(call: Call[OnePair], column: str) -> None:
    """Remove one variable of the URL, or one header."""
    row = _hook(call)
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        commands.unset_pair(tx, call.services, row, column, call.params.key)


def list_deliveries(call: Call[ListDeliveries]) -> Answer:
    """A page of the log."""
    row = _hook(call)
    return call.page(queries.deliveries(row.id, call.params.status), present_deliveries, keyset=queries.NEWEST_FIRST)


async def test_hook(call: Call[OneHook], flag: str) -> MessageOnly:
    """Send a sample now; 422 where the receiver does not take it."""
    hook, request = await call.run(_test_request, call, flag)
    outcome = await _send(call, hook, request)
    if outcome.status is None or not 200 <= outcome.status < 300:
        raise Failure(422, outcome.body)
    return CREATED


def _test_request(call: Call[OneHook], flag: str) -> tuple[WebHookRow, Request]:
    hook, place = _hook(call), place_of(call)
    message, mark = sample(call.services, call.conn, place, call.actor.id, flag)
    _count(call, place)
    payload = complete(call.services, message.payload, message.late_parts, mark)
    return hook, Request(flag, addressed(payload, mark, call.base_url), str(uuid4()), str(uuid4()))


def _count(call: Call, place: Place) -> None:
    key = f"hook-tests:{place.kind}:{place.id}:{call.actor.id}"
    if hit(call.services.db, key, 60).observed > MOST_PER_MINUTE:
        raise TooOften


async def send_sample(call: Call[OneHook], payload: dict[str, object]) -> None:
    """Send a fixed sample now, whatever comes of it."""
    hook = await call.run(_hook, call)
    await _send(call, hook, Request(None, payload, str(uuid4()), str(uuid4())))


async def resend(call: Call[OneDelivery]) -> Resent:
    """Send an entry of the log once more; any answer is a success."""
    hook, request = await call.run(_resent_request, call)
    outcome = await _send(call, hook, request)
    if outcome.status is None:
        raise Unprocessable(outcome.body)
    return Resent(response_status=outcome.status)


def _resent_request(call: Call[OneDelivery]) -> tuple[WebHookRow, Request]:
    hook = _hook(call)
    entry = queries.get_delivery(call.conn, hook.id, call.params.hook_event_id)
    if entry.url_digest != digest_of(filled_in(hook.url, opened(call.services, hook.url_variables))):
        raise Unprocessable("The hook URL has changed, and this log entry cannot be retried")
    if alert_status(hook) != EXECUTABLE and is_on(call.conn, RESTING):
        raise Unprocessable("Hook disabled")
    _count(call, place_of(call))
    payload = msgspec.json.decode(entry.request_data)
    return hook, Request(entry.flag, payload, entry.event_uuid, entry.idempotency_key, is_final=True)


async def _send(call: Call, hook: WebHookRow, request: Request) -> Outcome:
    rules = await call.run(_rules, call, hook.kind)
    delivery = await Sender(call.services, call.base_url).send(rules, hook, request)

    def note() -> None:
        with call.services.db.write() as tx:
            record(tx, [delivery])

    if not rules.is_silent:  # else it was not sent, which is no failure of the receiver
        await call.run(note)
    return delivery.outcome


def _rules(call: Call, kind: str) -> Rules:
    return rules_for(call.services, call.conn, kind)
