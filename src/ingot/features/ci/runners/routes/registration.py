"""Registers, verifies and removes runners."""

from ingot.access.call import Call
from ingot.access.policy import ANYONE, ANYONE_MAY_WRITE, SIGNED_IN
from ingot.access.subjects import find_group, find_project
from ingot.features.ci.runners import commands, policy, queries
from ingot.features.ci.runners.authentication import (
    get_runner,
    note_contact,
    require_home,
    runner_token_of,
)
from ingot.features.ci.runners.entities import RunnerCredentials, RunnerTokenShown
from ingot.features.ci.runners.params import CreateRunner, OneManager, RegisterRunner, RunnerToken, VerifyRunner
from ingot.features.ci.runners.registering import home_of
from ingot.features.ci.runners.tables import runner_managers
from ingot.instance import application_setting
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import wire_or_none
from ingot.kit.errors import ApiError, BadRequest, Failure, Forbidden, NotFound

routes = Routes("Runners")


class Gone(ApiError):
    """410 Gone - runner registration disallowed"""

    status = 410


@routes.post(
    "/runners", guard=ANYONE_MAY_WRITE, params=RegisterRunner, returns=RunnerCredentials, errors=(410,), waits=True
)
def register_runner(call: Call[RegisterRunner]) -> Answer:
    """Register a runner with a registration token."""
    if not application_setting(call.conn, "allow_runner_registration_token"):
        raise Gone
    home = home_of(call.conn, call.params.token)
    if home is None:
        raise Forbidden("invalid token supplied")
    kind, home_id = home
    registrars = application_setting(call.conn, "valid_runner_registrars")
    if kind != "instance_type" and kind.removesuffix("_type") not in registrars:
        raise Gone
    values = commands.values_of(call.params)
    if call.params.maintainer_note and "maintenance_note" not in values:
        values["maintenance_note"] = call.params.maintainer_note[:1024]
    with call.write() as tx:
        runner_id, token, ends = commands.create_runner(tx, kind, values, home_id=home_id, creator_id=None)
    if call.params.info:
        runner = queries.get_runner(call.conn, runner_id)
        note_contact(call, runner, None, call.params.info)
    return RunnerCredentials(id=runner_id, token=token, token_expires_at=wire_or_none(ends))


@routes.post(
    "/user/runners", guard=SIGNED_IN, params=CreateRunner, returns=RunnerCredentials, scopes=("create_runner",)
)
def create_runner(call: Call[CreateRunner]) -> Answer:
    """Create a runner for the instance, a group or a project; its token is shown once."""
    home_id = _home(call)
    values = commands.values_of(call.params)
    with call.write() as tx:
        runner_id, token, ends = commands.create_runner(
            tx, call.params.runner_type, values, home_id=home_id, creator_id=call.actor.id
        )
    return RunnerCredentials(id=runner_id, token=token, token_expires_at=wire_or_none(ends))


def _home(call: Call[CreateRunner]) -> int | None:
    """The project or group of the new runner, if the caller may create one there."""
    options = call.params
    match options.runner_type:
        case "instance_type":
            if options.group_id is not None or options.project_id is not None:
                raise BadRequest("Validation failed: runner_type instance_type takes no group and no project")
            home_id = None
            is_allowed = policy.may_create_in_instance(call.actor)
        case "group_type":
            if options.group_id is None:
                raise BadRequest("group_id is missing")
            group = find_group(call.conn, call.actor, options.group_id)
            if group is None:
                raise NotFound("Group")
            home_id = group.id
            is_allowed = policy.may_create_in_group(call.actor, group)
        case _:
            if options.project_id is None:
                raise BadRequest("project_id is missing")
            project = find_project(call.conn, call.actor, options.project_id)
            if project is None:
                raise NotFound("Project")
            home_id = project.id
            is_allowed = policy.may_create_in_project(call.actor, project)
    if not is_allowed:
        raise Forbidden("Insufficient permissions")
    return home_id


@routes.post(
    "/runners/verify", guard=ANYONE_MAY_WRITE, params=VerifyRunner, returns=RunnerCredentials, status=200, errors=(422,)
)
def verify_runner(call: Call[VerifyRunner]) -> Answer:
    """Verify a runner's token."""
    runner = get_runner(call)
    require_home(call.conn, runner)
    note_contact(call, runner, call.params.system_id, call.params.info)
    return RunnerCredentials(
        id=runner.id, token=runner_token_of(call), token_expires_at=wire_or_none(runner.token_expires_at)
    )


@routes.delete("/runners", guard=ANYONE_MAY_WRITE, params=RunnerToken)
def unregister_runner(call: Call[RunnerToken]) -> Answer:
    """A runner removes itself."""
    runner = get_runner(call)
    call.require_unmodified(runner.updated_at)
    with call.write() as tx:
        commands.delete_runner(tx, runner.id)


@routes.delete("/runners/managers", guard=ANYONE_MAY_WRITE, params=OneManager)
def unregister_manager(call: Call[OneManager]) -> Answer:
    """A runner removes one of its machines."""
    runner = get_runner(call)
    with call.write() as tx:
        gone = call.delete_rows(
            tx,
            runner_managers,
            (runner_managers.c.runner_id == runner.id) & (runner_managers.c.system_id == call.params.system_id),
        )
    if not gone:
        raise NotFound("Runner manager not found")


@routes.post(
    "/runners/reset_authentication_token", guard=ANYONE_MAY_WRITE, params=RunnerToken, returns=RunnerTokenShown
)
def reset_own_token(call: Call[RunnerToken]) -> Answer:
    """A runner changes its own token."""
    runner = get_runner(call)
    with call.write() as tx:
        token, ends = commands.reset_token(tx, runner)
    return RunnerTokenShown(token=token, token_expires_at=wire_or_none(ends))


@routes.get("/runners/router/discovery", guard=ANYONE, hidden=True)
def discover_router(_: Call) -> Answer:
    """Runners ask for jobs here; there is no job router."""
    raise Failure(501, "501 Not Implemented")
