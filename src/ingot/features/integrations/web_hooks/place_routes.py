"""Endpoints of the hooks of projects and of groups, which differ in their path, their rights and their events only."""

from types import GenericAlias

import msgspec

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.call import Call
from ingot.features.integrations.web_hooks import handlers
from ingot.features.integrations.web_hooks.entities import Delivery, GroupHook, ProjectHook, Resent, SystemHook
from ingot.features.integrations.web_hooks.params import (
    CreateGroupHook,
    CreateProjectHook,
    ListDeliveries,
    ListHooks,
    OneDelivery,
    OneHook,
    OnePair,
    SetPair,
    TestGroupHook,
    TestProjectHook,
    UpdateGroupHook,
    UpdateProjectHook,
)
from ingot.features.integrations.web_hooks.policy import ADMIN_GROUP_HOOKS, ADMIN_PROJECT_HOOKS
from ingot.kit.endpoint import Answer, Routes, name_handlers
from ingot.kit.entity import MessageOnly
from ingot.kit.params import Params


class HookPlace(msgspec.Struct, frozen=True):
    """Where hooks hang: its word in names, its path, who looks after them, and what is sent and answered."""

    word: str
    path: str
    guard: ProjectAbility | GroupAbility
    entity: type[SystemHook]
    create: type[Params]
    update: type[Params]
    test: type[Params]
    tier: str | None = None


PLACES = (
    HookPlace(
        "project",
        "/projects/{id}",
        ADMIN_PROJECT_HOOKS,
        ProjectHook,
        CreateProjectHook,
        UpdateProjectHook,
        TestProjectHook,
    ),
    HookPlace(
        "group",
        "/groups/{id}",
        ADMIN_GROUP_HOOKS,
        GroupHook,
        CreateGroupHook,
        UpdateGroupHook,
        TestGroupHook,
        "premium",
    ),
)


def routes_of(place: HookPlace) -> Routes:
    """The endpoints of the hooks of one kind of place."""
    routes = Routes(f"{place.word.title()} webhooks", guard=place.guard, tier=place.tier)
    hooks = f"{place.path}/hooks"
    hook = f"{hooks}/{{hook_id}}"

    @routes.get(hooks, params=ListHooks, returns=GenericAlias(list, place.entity))
    def list_hooks(call: Call[ListHooks]) -> Answer:
        return handlers.list_hooks(call)

    @routes.get(hook, params=OneHook, returns=place.entity)
    def get_hook(call: Call[OneHook]) -> Answer:
        return handlers.get_hook(call)

    @routes.post(hooks, params=place.create, returns=place.entity, errors=(422,))
    def create_hook(call: Call[CreateProjectHook | CreateGroupHook]) -> Answer:
        return handlers.create_hook(call)

    @routes.put(hook, params=place.update, returns=place.entity, errors=(422,))
    def update_hook(call: Call[UpdateProjectHook | UpdateGroupHook]) -> Answer:
        return handlers.update_hook(call)

    @routes.delete(hook, params=OneHook)
    def delete_hook(call: Call[OneHook]) -> None:
        handlers.delete_hook(call)

    @routes.post(f"{hook}/test/{{trigger}}", params=place.test, returns=MessageOnly, errors=(422, 429))
    async def test_hook(call: Call[TestProjectHook | TestGroupHook]) -> Answer:
        return await handlers.test_hook(call, call.params.trigger)

    @routes.get(f"{hook}/events", params=ListDeliveries, returns=list[Delivery])
    def list_deliveries(call: Call[ListDeliveries]) -> Answer:
        return handlers.list_deliveries(call)

    @routes.post(f"{hook}/events/{{hook_event_id}}/resend", params=OneDelivery, returns=Resent, errors=(422, 429))
    async def resend(call: Call[OneDelivery]) -> Answer:
        return await handlers.resend(call)

    _add_pairs(routes, hook)
    word = place.word
    lost = "Another URL takes the token and the headers away unless they are sent again."
    log = "What was sent to a webhook in the last seven days and what it answered, newest first."
    return name_handlers(
        routes,
        {
            "list_hooks": (f"list_{word}_hooks", f"Webhooks of a {word}."),
            "get_hook": (f"get_{word}_hook", f"One webhook of a {word}."),
            "create_hook": (f"create_{word}_hook", f"Add a webhook to a {word}."),
            "update_hook": (f"update_{word}_hook", f"Change a webhook of a {word}.\n\n{lost}"),
            "delete_hook": (f"delete_{word}_hook", f"Remove a webhook of a {word}."),
            "test_hook": (f"test_{word}_hook", "Send a sample to a webhook now; success is the receiver's."),
            "list_deliveries": (f"list_{word}_hook_deliveries", log),
            "resend": (
                f"resend_{word}_hook_delivery",
                "Send a delivery once more, with the same data and the same `Idempotency-Key`.",
            ),
            "set_header": (f"set_{word}_hook_header", "Set a header that each delivery carries."),
            "unset_header": (f"unset_{word}_hook_header", "Remove a header of the deliveries."),
            "set_variable": (f"set_{word}_hook_variable", "Set the value that replaces `{key}` in the URL."),
            "unset_variable": (f"unset_{word}_hook_variable", "Remove a variable that the URL does not need."),
        },
    )


def _add_pairs(routes: Routes, hook: str) -> None:
    """Headers and variables of the URL, one at a time."""

    @routes.put(f"{hook}/custom_headers/{{key}}", params=SetPair, status=204, errors=(422,))
    def set_header(call: Call[SetPair]) -> None:
        handlers.set_pair(call, "custom_headers")

    @routes.delete(f"{hook}/custom_headers/{{key}}", params=OnePair, errors=(422,))
    def unset_header(call: Call[OnePair]) -> None:
        handlers.unset_pair(call, "custom_headers")

    @routes.put(f"{hook}/url_variables/{{key}}", params=SetPair, status=204, errors=(422,))
    def set_variable(call: Call[SetPair]) -> None:
        handlers.set_pair(call, "url_variables")

    @routes.delete(f"{hook}/url_variables/{{key}}", params=OnePair, errors=(422,))
    def unset_variable(call: Call[OnePair]) -> None:
        handlers.unset_pair(call, "url_variables")
