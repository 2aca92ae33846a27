"""Endpoints of integrations: of projects, there under their former name too, and of groups."""

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.call import Call
from ingot.features.integrations.project_integrations import commands, queries, slash_commands
from ingot.features.integrations.project_integrations.entities import (
    Integration,
    IntegrationBasic,
    present,
    present_whole,
)
from ingot.features.integrations.project_integrations.params import IntegrationPath, ListIntegrations, SetIntegration
from ingot.features.integrations.project_integrations.policy import (
    ADMIN_GROUP_INTEGRATIONS,
    ADMIN_INTEGRATIONS,
    READ_INTEGRATIONS,
)
from ingot.kit.endpoint import Answer, Routes, name_handlers

ONE = "/{slug}"
ReadOrWrite = ProjectAbility | GroupAbility


def _routes_at(path: str, word: str, read: ReadOrWrite, write: ReadOrWrite, *, hidden: bool = False) -> Routes:
    routes = Routes("Group integrations" if word == "group" else "Integrations")

    @routes.get(path, guard=read, params=ListIntegrations, returns=list[IntegrationBasic], hidden=hidden)
    def list_integrations(call: Call[ListIntegrations]) -> Answer:
        query = queries.active_ones(commands.place_of(call))
        return call.page(query, present, keyset=queries.nearest_first(query))

    @routes.get(path + ONE, guard=read, params=IntegrationPath, returns=Integration, hidden=hidden)
    def get_integration(call: Call[IntegrationPath]) -> Answer:
        return present_whole(commands.get_integration(call, call.params.slug))

    @routes.put(path + ONE, guard=write, params=SetIntegration, returns=Integration, hidden=hidden)
    def set_integration(call: Call[SetIntegration]) -> Answer:
        with call.write() as tx:
            row = commands.set_integration(tx, call)
        return present_whole(row)

    @routes.delete(path + ONE, guard=write, params=IntegrationPath, hidden=hidden)
    def delete_integration(call: Call[IntegrationPath]) -> None:
        row = commands.get_integration(call, call.params.slug)
        call.require_unmodified(row.updated_at)
        with call.write() as tx:
            commands.switch_off(tx, commands.place_of(call), row.slug)

    prefix, thing = ("group_", "group") if word == "group" else ("", "project")
    noun = "service" if word == "service" else "integration"
    above = "Where it has none of its own, those of the nearest group above count."
    return name_handlers(
        routes,
        {
            "list_integrations": (f"list_{prefix}{noun}s", f"Integrations of a {thing} that are on.\n\n{above}"),
            "get_integration": (f"get_{prefix}{noun}", "An integration with those settings that are no secret."),
            "set_integration": (f"set_{prefix}{noun}", "Switch an integration on, or change its settings."),
            "delete_integration": (f"delete_{prefix}{noun}", "Switch an integration off, and forget its settings."),
        },
    )


ROUTES = [
    _routes_at("/projects/{id}/integrations", "project", READ_INTEGRATIONS, ADMIN_INTEGRATIONS),
    _routes_at("/projects/{id}/services", "service", READ_INTEGRATIONS, ADMIN_INTEGRATIONS, hidden=True),
    _routes_at("/groups/{id}/integrations", "group", ADMIN_GROUP_INTEGRATIONS, ADMIN_GROUP_INTEGRATIONS),
    slash_commands.routes,
]
