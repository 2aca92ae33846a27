"""Endpoints of environments."""

from sqlalchemy import select

from ingot.access.call import Call
from ingot.features.ci import deployments as store
from ingot.features.ci.deployments import EnvironmentRow, environments
from ingot.features.ci.environments import queries
from ingot.features.ci.environments.entities import Environment, present_environment, present_environments
from ingot.features.ci.environments.params import (
    CreateEnvironment,
    EnvironmentPath,
    ListEnvironments,
    StopEnvironment,
    UpdateEnvironment,
)
from ingot.features.ci.environments.policy import CHANGE_ENVIRONMENTS, READ_ENVIRONMENTS
from ingot.features.ci.environments.stopping import stop
from ingot.features.ci.protected_environments import may_deploy
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.environment_names import problem_of
from ingot.kit.errors import BadRequest, Forbidden, Invalid
from ingot.kit.running_addresses import runs_in_browser

routes = Routes("Environments", job_token=True)
_ALL = "/projects/{id}/environments"
_ONE = _ALL + "/{environment_id}"


def _check(name: str | None, url: str | None) -> None:
    problems: dict[str, list[str]] = {}
    if name is not None and (problem := problem_of(name)) is not None:
        problems["name"] = [problem]
    if url and (runs_in_browser(url) or len(url) > 255):
        too_long = len(url) > 255
        problems["external_url"] = ["is too long (maximum is 255 characters)" if too_long else "is not allowed"]
    if problems:
        raise Invalid(problems)


def _find(call: Call[EnvironmentPath]) -> EnvironmentRow:
    return store.get_environment(call.conn, call.project.id, call.params.environment_id)


def _changeable(call: Call[EnvironmentPath]) -> EnvironmentRow:
    """The environment of the path, unless it is protected from the caller."""
    row = _find(call)
    if not may_deploy(call.conn, call.project.id, row.name, call.actor.user_id):
        raise Forbidden
    return row


@routes.get(_ALL, guard=READ_ENVIRONMENTS, params=ListEnvironments, returns=list[Environment])
def list_environments(call: Call[ListEnvironments]) -> Answer:
    """Environments of a project."""
    if call.params.search is not None and len(call.params.search) < 3:
        raise BadRequest("Search query is less than 3 characters")
    return call.page(queries.environments_in(call.project.id, call.params), present_environments)


@routes.get(_ONE, guard=READ_ENVIRONMENTS, params=EnvironmentPath, returns=Environment)
def get_environment(call: Call[EnvironmentPath]) -> Answer:
    """One environment with its last deployment."""
    return present_environment(call, _find(call))


@routes.post(_ALL, guard=CHANGE_ENVIRONMENTS, params=CreateEnvironment, returns=Environment)
def create_environment(call: Call[CreateEnvironment]) -> Answer:
    """Create an environment."""
    given = {name: value for name, value in call.params.given().items() if value is not None and name != "name"}
    _check(call.params.name or "", call.params.external_url)
    taken = select(environments.c.id).where(
        environments.c.project_id == call.project.id, environments.c.name == call.params.name
    )
    with call.write() as tx:
        if tx.execute(taken).first() is not None:
            raise Invalid({"name": ["has already been taken"]})
        created = store.create_environment(tx, call.project.id, call.params.name, **given)
    return present_environment(call, store.get_environment(call.conn, call.project.id, created))


@routes.put(_ONE, guard=CHANGE_ENVIRONMENTS, params=UpdateEnvironment, returns=Environment)
def update_environment(call: Call[UpdateEnvironment]) -> Answer:
    """Change an environment."""
    row = _changeable(call)
    given = {name: value for name, value in call.params.given().items() if name != "environment_id"}
    given = {
        name: value for name, value in given.items() if value is not None or name in ("description", "external_url")
    }
    _check(None, call.params.external_url)
    if given:
        with call.write() as tx:
            store.update_environment(tx, row.id, **given)
    return present_environment(call, _find(call))


@routes.delete(_ONE, guard=CHANGE_ENVIRONMENTS, params=EnvironmentPath)
def delete_environment(call: Call[EnvironmentPath]) -> None:
    """Delete a stopped environment."""
    row = _changeable(call)
    call.require_unmodified(row.updated_at)
    if row.state != "stopped":
        raise Forbidden
    with call.write() as tx:
        store.delete_environment(tx, row.id)


@routes.post(_ONE + "/stop", guard=CHANGE_ENVIRONMENTS, params=StopEnvironment, returns=Environment, status=200)
def stop_environment(call: Call[StopEnvironment]) -> Answer:
    """Stop an environment, by its stop job where it has one."""
    stop(call.services, _changeable(call), call.actor, force=call.params.force)
    return present_environment(call, _find(call))
