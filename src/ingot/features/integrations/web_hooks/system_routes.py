"""Endpoints of hooks of the instance (administrators)."""

from ingot.access.call import Call
from ingot.features.integrations.web_hooks import handlers
from ingot.features.integrations.web_hooks.entities import SystemHook
from ingot.features.integrations.web_hooks.params import (
    CreateSystemHook,
    ListHooks,
    OneHook,
    OnePair,
    SetPair,
    UpdateSystemHook,
)
from ingot.features.integrations.web_hooks.policy import ADMIN_SYSTEM_HOOKS
from ingot.features.integrations.web_hooks.testing import SAMPLE
from ingot.kit.endpoint import Answer, Routes

routes = Routes("System hooks", guard=ADMIN_SYSTEM_HOOKS)
HOOKS = "/hooks"
HOOK = f"{HOOKS}/{{hook_id}}"


@routes.get(HOOKS, params=ListHooks, returns=list[SystemHook])
def list_system_hooks(call: Call[ListHooks]) -> Answer:
    """Webhooks of the instance."""
    return handlers.list_hooks(call)


@routes.get(HOOK, params=OneHook, returns=SystemHook)
def get_system_hook(call: Call[OneHook]) -> Answer:
    """One webhook of the instance."""
    return handlers.get_hook(call)


@routes.post(HOOKS, params=CreateSystemHook, returns=SystemHook, errors=(422,))
def create_system_hook(call: Call[CreateSystemHook]) -> Answer:
    """Add a webhook to the instance."""
    return handlers.create_hook(call)


@routes.put(HOOK, params=UpdateSystemHook, returns=SystemHook, errors=(422,))
def update_system_hook(call: Call[UpdateSystemHook]) -> Answer:
    """Change a webhook of the instance.

    Another URL takes the token and the headers away unless they are sent again.
    """
    return handlers.update_hook(call)


@routes.delete(HOOK, params=OneHook)
def delete_system_hook(call: Call[OneHook]) -> None:
    """Remove a webhook of the instance."""
    handlers.delete_hook(call)


@routes.post(HOOK, params=OneHook, returns=dict[str, str | int])
async def test_system_hook(call: Call[OneHook]) -> Answer:
    """Send a sample to a webhook now; the answer is the sample, whatever the receiver said."""
    await handlers.send_sample(call, dict(SAMPLE))
    return SAMPLE


@routes.put(f"{HOOK}/url_variables/{{key}}", params=SetPair, status=204, errors=(422,))
def set_system_hook_variable(call: Call[SetPair]) -> None:
    """Set the value that replaces `{key}` in the URL."""
    handlers.set_pair(call, "url_variables")


@routes.delete(f"{HOOK}/url_variables/{{key}}", params=OnePair, errors=(422,))
def unset_system_hook_variable(call: Call[OnePair]) -> None:
    """Remove a variable that the URL does not need."""
    handlers.unset_pair(call, "url_variables")
