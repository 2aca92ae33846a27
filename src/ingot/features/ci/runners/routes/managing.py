"""Managing runners: lists, single runners, their jobs and machines."""

from collections.abc import Sequence

from sqlalchemy import func, select

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR, SIGNED_IN
from ingot.features.ci.engine import JOB_COLUMNS, JobRow, ci_jobs
from ingot.features.ci.pipelines import RunnerManager, present_jobs
from ingot.features.ci.runners import commands, queries, registering
from ingot.features.ci.runners.entities import (
    RegistrationToken,
    Runner,
    RunnerJob,
    RunnerTokenShown,
    RunnerWhole,
    present_runners,
    present_whole,
    with_projects,
)
from ingot.features.ci.runners.machines import MACHINES, present_machine
from ingot.features.ci.runners.params import ChangeRunner, ListRunners, OneRunner, RunnerJobs, RunnerManagers
from ingot.features.ci.runners.policy import in_readable_projects, may_delete, require_manager, require_reader
from ingot.features.ci.runners.rows import MachineRow, RunnerRow
from ingot.features.ci.runners.tables import runner_managers, runner_projects
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import wire_or_none
from ingot.kit.errors import Forbidden
from ingot.kit.pagination import Keyset

routes = Routes("Runners", guard=SIGNED_IN, scopes=("manage_runner",))


def _runner(call: Call[OneRunner | ChangeRunner]) -> RunnerRow:
    """The runner of the path, which the caller may change."""
    runner = queries.get_runner(call.conn, call.params.id)
    require_manager(call, runner)
    return runner


@routes.get("/runners", params=ListRunners, returns=list[Runner])
def list_own_runners(call: Call[ListRunners]) -> Answer:
    """Runners of the projects and groups that the caller manages."""
    return call.page(queries.listed(call, queries.is_managed(call.actor)), present_runners)


@routes.get("/runners/all", guard=ADMINISTRATOR, params=ListRunners, returns=list[Runner])
def list_all_runners(call: Call[ListRunners]) -> Answer:
    """All runners of the instance (administrators)."""
    return call.page(queries.listed(call), present_runners)


@routes.get("/runners/{id}", params=OneRunner, returns=RunnerWhole)
def get_runner(call: Call[OneRunner]) -> Answer:
    """One runner."""
    runner = queries.get_runner(call.conn, call.params.id)
    require_reader(call, runner)
    return present_whole(call, runner)


@routes.put("/runners/{id}", params=ChangeRunner, returns=RunnerWhole)
def change_runner(call: Call[ChangeRunner]) -> Answer:
    """Change a runner."""
    result = _runner(call)
    with call.write() as tx:
        commands.change_runner(tx, result, call.params)
    return present_whole(call, queries.get_runner(call.conn, result.id))


@routes.delete("/runners/{id}", params=OneRunner)
def delete_runner(call: Call[OneRunner]) -> Answer:
    """Remove a runner."""
    result = _runner(call)
    served = call.conn.execute(
        select(func.count()).select_from(runner_projects).where(runner_projects.c.runner_id == result.id)
    ).scalar_one()
    if not may_delete(call.actor, served):
        raise Forbidden("Runner associated with more than one project")
    call.require_unmodified(result.updated_at)
    with call.write() as tx:
        commands.delete_runner(tx, result.id)


@routes.get("/runners/{id}/jobs", params=RunnerJobs, returns=list[RunnerJob])
def list_runner_jobs(call: Call[RunnerJobs]) -> Answer:
    """Jobs that a runner has taken, of projects where the caller is at least a reporter."""
    result = _runner(call)
    options = call.params
    statement = select(*JOB_COLUMNS).where(ci_jobs.c.runner_id == result.id, ci_jobs.c.kind == "build")
    if options.status is not None:
        statement = statement.where(ci_jobs.c.status == options.status)
    if options.system_id is not None:
        machines = select(runner_managers.c.id).where(
            runner_managers.c.runner_id == result.id, runner_managers.c.system_id == options.system_id
        )
        statement = statement.where(ci_jobs.c.runner_manager_id.in_(machines))
    statement = statement.where(in_readable_projects(call.actor))
    statement = statement.order_by(ci_jobs.c.id.asc() if options.sort == "asc" else ci_jobs.c.id.desc())
    return call.page(statement, _present_jobs, keyset=Keyset(ci_jobs.c.id, options.sort == "desc"))


def _present_jobs(call: Call, rows: Sequence[JobRow]) -> list[RunnerJob]:
    return with_projects(call, rows, present_jobs(call, rows))


@routes.get("/runners/{id}/managers", params=RunnerManagers, returns=list[RunnerManager])
def list_runner_managers(call: Call[RunnerManagers]) -> Answer:
    """The machines that run under a runner's token."""
    result = _runner(call)
    statement = MACHINES.where(runner_managers.c.runner_id == result.id).order_by(runner_managers.c.id.desc())
    return call.page(statement, _present_machines)


def _present_machines(_: Call, rows: Sequence[MachineRow]) -> list[RunnerManager]:
    return [present_machine(row) for row in rows]


@routes.post("/runners/{id}/reset_authentication_token", params=OneRunner, returns=RunnerTokenShown)
def reset_runner_token(call: Call[OneRunner]) -> Answer:
    """A new token for a runner; shown once."""
    result = _runner(call)
    with call.write() as tx:
        token, ends = commands.reset_token(tx, result)
    return RunnerTokenShown(token=token, token_expires_at=wire_or_none(ends))


@routes.post("/runners/reset_registration_token", guard=ADMINISTRATOR, returns=RegistrationToken)
def reset_instance_registration_token(call: Call) -> Answer:
    """A new registration token for runners of the instance (administrators)."""
    with call.write() as tx:
        return RegistrationToken(token=registering.reset_instance(tx))
