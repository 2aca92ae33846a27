"""Endpoints of the instance's applications (administrators)."""

from sqlalchemy import true

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR
from ingot.features.people.oauth import commands, queries
from ingot.features.people.oauth.entities import (
    Application,
    ApplicationWithSecret,
    application_with_secret,
    present,
)
from ingot.features.people.oauth.params import CreateApplication, ListApplications
from ingot.features.people.oauth.rows import ApplicationRow
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import NotFound

routes = Routes("Applications", guard=ADMINISTRATOR)


@routes.get("/applications", params=ListApplications, returns=list[Application])
def list_applications(call: Call[ListApplications]) -> Answer:
    """All applications that can sign people in here (administrators)."""
    return call.page(queries.list_applications(true()), present)


@routes.post("/applications", params=CreateApplication, returns=ApplicationWithSecret)
def create_application(call: Call[CreateApplication]) -> Answer:
    """Register an application of the instance (administrators); its secret is shown only once."""
    with call.write() as tx:
        row, secret = commands.create_application(tx, call.params)
    return application_with_secret(row, secret)


@routes.delete("/applications/{id:int}")
def delete_application(call: Call) -> None:
    """Delete an application and every token that it holds (administrators)."""
    row = _application(call)
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        commands.delete_application(tx, row)
    call.services.tokens.forget()


@routes.post("/applications/{id:int}/renew-secret", returns=ApplicationWithSecret)
def renew_application_secret(call: Call) -> Answer:
    """Give an application a new secret (administrators); the former one no longer works."""
    row = _application(call)
    with call.write() as tx:
        secret = commands.renew_secret(tx, row)
    return application_with_secret(row, secret)


def _application(call: Call) -> ApplicationRow:
    row = queries.find_application(call.conn, int(call.path["id"]))
    if row is None:
        raise NotFound("Application")
    return row
