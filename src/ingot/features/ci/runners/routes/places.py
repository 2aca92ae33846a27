"""Runners of a project and of a group."""

from typing import Any

from sqlalchemy import delete, insert, or_, select

from ingot.access.call import Call
from ingot.features.ci.runners import queries, registering
from ingot.features.ci.runners.commands import check_limit
from ingot.features.ci.runners.entities import RegistrationToken, Runner, present_runners
from ingot.features.ci.runners.params import EnableRunner, ListRunners
from ingot.features.ci.runners.policy import (
    MANAGE_GROUP_RUNNERS,
    MANAGE_PROJECT_RUNNERS,
    READ_GROUP_RUNNERS,
    READ_PROJECT_RUNNERS,
    require_manager,
)
from ingot.features.ci.runners.tables import runner_projects, runners
from ingot.features.spaces.projects import project_settings
from ingot.kit.clock import now
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Forbidden, Invalid, NotFound

routes = Routes("Runners")


@routes.get("/projects/{id}/runners", guard=READ_PROJECT_RUNNERS, params=ListRunners, returns=list[Runner])
def list_project_runners(call: Call[ListRunners]) -> Answer:
    """Runners that may take the project's jobs: its own, its groups' and the instance's."""
    settings = project_settings(call.project)
    available = queries.for_project(
        call.project, with_groups=settings.group_runners_enabled, with_instance=settings.shared_runners_enabled
    )
    return call.page(queries.listed(call, available), present_runners)


@routes.post("/projects/{id}/runners", guard=MANAGE_PROJECT_RUNNERS, params=EnableRunner, returns=Runner)
def enable_project_runner(call: Call[EnableRunner]) -> Answer:
    """Let a runner of another project take this project's jobs too."""
    runner = queries.get_runner(call.conn, call.params.runner_id)
    if runner.runner_type == "instance_type":
        raise Forbidden("Runner is an instance runner")
    require_manager(call, runner)
    if runner.runner_type == "group_type":
        raise Forbidden("Runner is a group runner")
    if runner.locked:
        raise Forbidden("Runner is locked")
    with call.write() as tx:
        tx.execute(select(runners.c.id).where(runners.c.id == runner.id).with_for_update())
        known = select(runner_projects.c.id).where(
            runner_projects.c.runner_id == runner.id, runner_projects.c.project_id == call.project.id
        )
        if tx.execute(known).first() is not None:
            raise Invalid({"runner_id": ["has already been taken"]})
        check_limit(tx, "project_type", call.project.id)
        tx.execute(insert(runner_projects).values(runner_id=runner.id, project_id=call.project.id, created_at=now()))
    return present_runners(call, [runner])[0]


@routes.delete("/projects/{id}/runners/{runner_id}", guard=MANAGE_PROJECT_RUNNERS, params=EnableRunner)
def disable_project_runner(call: Call[EnableRunner]) -> Answer:
    """Stop a runner from taking the project's jobs; the project that owns it can only delete it."""
    with call.write() as tx:
        rows: Any = tx.execute(
            select(runner_projects)
            .where(runner_projects.c.runner_id == call.params.runner_id)
            .order_by(runner_projects.c.id)
            .with_for_update()
        ).all()
        own = next((row for row in rows if row.project_id == call.project.id), None)
        if own is None:
            raise NotFound("Runner")
        call.require_unmodified(own.created_at)
        if len(rows) == 1:
            raise Forbidden("Only one project associated with the runner. Please remove the runner instead")
        if rows[0].id == own.id:
            raise Forbidden("You cannot unassign a runner from the owner project. Delete the runner instead")
        tx.execute(delete(runner_projects).where(runner_projects.c.id == own.id))


@routes.post("/projects/{id}/runners/reset_registration_token", guard=MANAGE_PROJECT_RUNNERS, returns=RegistrationToken)
def reset_project_registration_token(call: Call) -> Answer:
    """A new registration token for runners of the project."""
    with call.write() as tx:
        return RegistrationToken(token=registering.reset_project(tx, call.project.id))


@routes.get("/groups/{id}/runners", guard=READ_GROUP_RUNNERS, params=ListRunners, returns=list[Runner])
def list_group_runners(call: Call[ListRunners]) -> Answer:
    """Runners that may take jobs of the group's projects: its own, those above it, and the instance's."""
    available = or_(queries.above(call.group.id), runners.c.runner_type == "instance_type")
    return call.page(queries.listed(call, available), present_runners)


@routes.post("/groups/{id}/runners/reset_registration_token", guard=MANAGE_GROUP_RUNNERS, returns=RegistrationToken)
def reset_group_registration_token(call: Call) -> Answer:
    """A new registration token for runners of the group."""
    with call.write() as tx:
        return RegistrationToken(token=registering.reset_group(tx, call.group.id))
