"""Endpoints of hooks of a project."""

from ingot.access.call import Call
from ingot.features.integrations.web_hooks import handlers
from ingot.features.integrations.web_hooks.entities import Delivery, ProjectHook, Resent
from ingot.features.integrations.web_hooks.params import (
    CreateProjectHook,
    ListDeliveries,
    ListHooks,
    OneDelivery,
    OneHook,
    OnePair,
    SetPair,
    TestProjectHook,
    UpdateProjectHook,
)
from ingot.features.integrations.web_hooks.policy import ADMIN_PROJECT_HOOKS
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import MessageOnly

routes = Routes("Project web hooks", guard=ADMIN_PROJECT_HOOKS)
HOOKS = "/projects/{id}/hooks"
HOOK = f"{HOOKS}/{{hook_id}}"


@routes.get(HOOKS, params=ListHooks, returns=list[ProjectHook])
def list_project_hooks(call: Call[ListHooks]) -> Answer:
    """Web hooks of a project."""
    return handlers.list_hooks(call)


@routes.get(HOOK, params=OneHook, returns=ProjectHook)
def get_project_hook(call: Call[OneHook]) -> Answer:
    """One web hook of a project."""
    return handlers.get_hook(call)


@routes.post(HOOKS, params=CreateProjectHook, returns=ProjectHook, errors=(422,))
def create_project_hook(call: Call[CreateProjectHook]) -> Answer:
    """Add a web hook to a project."""
    return handlers.create_hook(call)


@routes.put(HOOK, params=UpdateProjectHook, returns=ProjectHook, errors=(422,))
def update_project_hook(call: Call[UpdateProjectHook]) -> Answer:
    """Change a web hook of a project.

    Another URL takes the token and the headers away unless they are sent again.
    """
    return handlers.update_hook(call)


@routes.delete(HOOK, params=OneHook)
def delete_project_hook(call: Call[OneHook]) -> None:
    """Remove a web hook of a project."""
    handlers.delete_hook(call)


@routes.post(f"{HOOK}/test/{{trigger}}", params=TestProjectHook, returns=MessageOnly, errors=(422, 429))
async def test_project_hook(call: Call[TestProjectHook]) -> Answer:
    """Send a sample to a web hook now; success is the receiver's."""
    return await handlers.test_hook(call, call.params.trigger)


@routes.get(f"{HOOK}/events", params=ListDeliveries, returns=list[Delivery])
def list_project_hook_deliveries(call: Call[ListDeliveries]) -> Answer:
    """What was sent to a web hook in the last seven days and what it answered, newest first."""
    return handlers.list_deliveries(call)


@routes.post(f"{HOOK}/events/{{hook_event_id}}/resend", params=OneDelivery, returns=Resent, errors=(422, 429))
async def resend_project_hook_delivery(call: Call[OneDelivery]) -> Answer:
    """Send a delivery once more, with the same data and the same `Idempotency-Key`."""
    return await handlers.resend(call)


@routes.put(f"{HOOK}/custom_headers/{{key}}", params=SetPair, status=204, errors=(422,))
def set_project_hook_header(call: Call[SetPair]) -> None:
    """Set a header that each delivery carries."""
    handlers.set_pair(call, "custom_headers")


@routes.delete(f"{HOOK}/custom_headers/{{key}}", params=OnePair, errors=(422,))
def unset_project_hook_header(call: Call[OnePair]) -> None:
    """Remove a header of the deliveries."""
    handlers.unset_pair(call, "custom_headers")


@routes.put(f"{HOOK}/url_variables/{{key}}", params=SetPair, status=204, errors=(422,))
def set_project_hook_variable(call: Call[SetPair]) -> None:
    """Set the value that replaces `{key}` in the URL."""
    handlers.set_pair(call, "url_variables")


@routes.delete(f"{HOOK}/url_variables/{{key}}", params=OnePair, errors=(422,))
def unset_project_hook_variable(call: Call[OnePair]) -> None:
    """Remove a variable that the URL does not need."""
    handlers.unset_pair(call, "url_variables")
