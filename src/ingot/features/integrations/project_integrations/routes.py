"""Endpoints of integrations, and the same under their former name."""

from ingot.access.call import Call
from ingot.features.integrations.project_integrations import commands, queries
from ingot.features.integrations.project_integrations.entities import (
    Integration,
    IntegrationBasic,
    present,
    present_whole,
)
from ingot.features.integrations.project_integrations.params import IntegrationPath, ListIntegrations, SetIntegration
from ingot.features.integrations.project_integrations.policy import ADMIN_INTEGRATIONS, READ_INTEGRATIONS
from ingot.kit.endpoint import Answer, Routes

routes = Routes("Integrations")
ALL, FORMER = "/projects/{id}/integrations", "/projects/{id}/services"
ONE = "/{slug}"


@routes.get(ALL, guard=READ_INTEGRATIONS, params=ListIntegrations, returns=list[IntegrationBasic])
def list_integrations(call: Call[ListIntegrations]) -> Answer:
    """Integrations of a project that are on."""
    return call.page(queries.active_ones(call.project.id), present)


@routes.get(ALL + ONE, guard=READ_INTEGRATIONS, params=IntegrationPath, returns=Integration)
def get_integration(call: Call[IntegrationPath]) -> Answer:
    """An integration with those settings that are no secret."""
    return present_whole(commands.get_integration(call, call.params.slug))


@routes.put(ALL + ONE, guard=ADMIN_INTEGRATIONS, params=SetIntegration, returns=Integration)
def set_integration(call: Call[SetIntegration]) -> Answer:
    """Switch an integration on, or change its settings."""
    with call.write() as tx:
        row = commands.set_integration(tx, call)
    return present_whole(row)


@routes.delete(ALL + ONE, guard=ADMIN_INTEGRATIONS, params=IntegrationPath)
def delete_integration(call: Call[IntegrationPath]) -> None:
    """Switch an integration off, and forget its settings."""
    row = commands.get_integration(call, call.params.slug)
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        commands.switch_off(tx, row)


@routes.get(FORMER, guard=READ_INTEGRATIONS, params=ListIntegrations, returns=list[IntegrationBasic], hidden=True)
def list_services(call: Call[ListIntegrations]) -> Answer:
    """The same."""
    return list_integrations(call)


@routes.get(FORMER + ONE, guard=READ_INTEGRATIONS, params=IntegrationPath, returns=Integration, hidden=True)
def get_service(call: Call[IntegrationPath]) -> Answer:
    """The same."""
    return get_integration(call)


@routes.put(FORMER + ONE, guard=ADMIN_INTEGRATIONS, params=SetIntegration, returns=Integration, hidden=True)
def set_service(call: Call[SetIntegration]) -> Answer:
    """The same."""
    return set_integration(call)


@routes.delete(FORMER + ONE, guard=ADMIN_INTEGRATIONS, params=IntegrationPath, hidden=True)
def delete_service(call: Call[IntegrationPath]) -> None:
    """The same."""
    delete_integration(call)
