"""Endpoints of hooks of a group."""

from ingot.access.call import Call
from ingot.features.integrations.web_hooks import handlers
from ingot.features.integrations.web_hooks.entities import Delivery, GroupHook, Resent
from ingot.features.integrations.web_hooks.params import (
    CreateGroupHook,
    ListDeliveries,
    ListHooks,
    OneDelivery,
    OneHook,
    OnePair,
    SetPair,
    TestGroupHook,
    UpdateGroupHook,
)
from ingot.features.integrations.web_hooks.policy import ADMIN_GROUP_HOOKS
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import MessageOnly

routes = Routes("Group web hooks", guard=ADMIN_GROUP_HOOKS, tier="premium")
HOOKS = "/groups/{id}/hooks"
HOOK = f"{HOOKS}/{{hook_id}}"


@routes.get(HOOKS, params=ListHooks, returns=list[GroupHook])
def list_group_hooks(call: Call[ListHooks]) -> Answer:
    """Web hooks of a group."""
    return handlers.list_hooks(call)


@routes.get(HOOK, params=OneHook, returns=GroupHook)
def get_group_hook(call: Call[OneHook]) -> Answer:
    """One web hook of a group."""
    return handlers.get_hook(call)


@routes.post(HOOKS, params=CreateGroupHook, returns=GroupHook, errors=(422,))
def create_group_hook(call: Call[CreateGroupHook]) -> Answer:
    """Add a web hook to a group."""
    return handlers.create_hook(call)


@routes.put(HOOK, params=UpdateGroupHook, returns=GroupHook, errors=(422,))
def update_group_hook(call: Call[UpdateGroupHook]) -> Answer:
    """Change a web hook of a group.

    Another URL takes the token and the headers away unless they are sent again.
    """
    return handlers.update_hook(call)


@routes.delete(HOOK, params=OneHook)
def delete_group_hook(call: Call[OneHook]) -> None:
    """Remove a web hook of a group."""
    handlers.delete_hook(call)


@routes.post(f"{HOOK}/test/{{trigger}}", params=TestGroupHook, returns=MessageOnly, errors=(422, 429))
async def test_group_hook(call: Call[TestGroupHook]) -> Answer:
    """Send a sample to a web hook now; success is the receiver's."""
    return await handlers.test_hook(call, call.params.trigger)


@routes.get(f"{HOOK}/events", params=ListDeliveries, returns=list[Delivery])
def list_group_hook_deliveries(call: Call[ListDeliveries]) -> Answer:
    """What was sent to a web hook in the last seven days and what it answered, newest first."""
    return handlers.list_deliveries(call)


@routes.post(f"{HOOK}/events/{{hook_event_id}}/resend", params=OneDelivery, returns=Resent, errors=(422, 429))
async def resend_group_hook_delivery(call: Call[OneDelivery]) -> Answer:
    """Send a delivery once more, with the same data and the same `Idempotency-Key`."""
    return await handlers.resend(call)


@routes.put(f"{HOOK}/custom_headers/{{key}}", params=SetPair, status=204, errors=(422,))
def set_group_hook_header(call: Call[SetPair]) -> None:
    """Set a header that each delivery carries."""
    handlers.set_pair(call, "custom_headers")


@routes.delete(f"{HOOK}/custom_headers/{{key}}", params=OnePair, errors=(422,))
def unset_group_hook_header(call: Call[OnePair]) -> None:
    """Remove a header of the deliveries."""
    handlers.unset_pair(call, "custom_headers")


@routes.put(f"{HOOK}/url_variables/{{key}}", params=SetPair, status=204, errors=(422,))
def set_group_hook_variable(call: Call[SetPair]) -> None:
    """Set the value that replaces `{key}` in the URL."""
    handlers.set_pair(call, "url_variables")


@routes.delete(f"{HOOK}/url_variables/{{key}}", params=OnePair, errors=(422,))
def unset_group_hook_variable(call: Call[OnePair]) -> None:
    """Remove a variable that the URL does not need."""
    handlers.unset_pair(call, "url_variables")
