"""Approvals of deployments to protected environments."""

from sqlalchemy import Connection, delete, insert

from ingot.access.call import Call
from ingot.features.ci.deployments import DeploymentRow, get_deployment, get_environment
from ingot.features.ci.engine import finish_job
from ingot.features.ci.environments.params import ApproveDeployment
from ingot.features.ci.protected_environments import (
    ApprovalRow,
    Covering,
    NamedEntryRow,
    Person,
    deployment_approvals,
    entry_name,
    find_person,
    is_approved,
    rules_of,
)
from ingot.features.spaces.projects import project_settings
from ingot.kit.clock import now
from ingot.kit.db import take_turn
from ingot.kit.errors import Failure

NOT_PROTECTED = "This environment is not protected."
NOT_WAITING = "This deployment is not waiting for approvals."
NO_RULES = "Deployment approvals is not configured for this environment."
NO_RIGHT = "You don't have permission to approve this deployment. Contact the project or group owner for help."
OWN = (
    "You cannot approve your own deployment. This configuration can be adjusted in the protected environment settings."
)
UNKNOWN_NAME = (
    "There are no approval rules for the given `represented_as` parameter. Use a valid User/Group/Role name instead."
)


def record_vote(tx: Connection, call: Call[ApproveDeployment], row: DeploymentRow) -> ApprovalRow:
    """Store what the caller decided; a rejection ends the job."""
    options = call.params
    take_turn(tx, f"deployment:{row.id}")
    row = get_deployment(tx, call.project.id, row.id)  # as it is in this turn
    environment = get_environment(tx, call.project.id, row.environment_id)
    rules = rules_of(tx, call.project.id, environment.name)
    _require_waiting(rules, row)
    if row.user_id == call.actor.user_id and options.status == "approved" and not project_settings(
        call.project
    ).allow_pipeline_trigger_approve_deployment:  # fmt: skip
        raise Failure(400, OWN)
    person = find_person(tx, call.project.id, call.actor.user_id, rules)
    entry_id = _represented(rules, person, options.represented_as)
    table = deployment_approvals
    tx.execute(delete(table).where(table.c.deployment_id == row.id, table.c.user_id == call.actor.user_id))
    created = insert(table).values(
        deployment_id=row.id,
        user_id=call.actor.user_id,
        entry_id=entry_id,
        status=options.status,
        comment=options.comment,
        created_at=now(),
    )
    vote: ApprovalRow = tx.execute(created.returning(*table.c)).one()
    if options.status == "rejected" and row.job_id is not None:
        finish_job(tx, call.services, row.job_id, "failed", failure_reason="deployment_rejected")
    return vote


def find_votes(conn: Connection, call: Call, deployment_id: int) -> list[str]:
    """What the caller may say about a deployment: `approved` and `rejected`, one of them, or nothing."""
    row = get_deployment(conn, call.project.id, deployment_id)
    environment = get_environment(conn, call.project.id, row.environment_id)
    rules = rules_of(conn, call.project.id, environment.name)
    try:
        _require_waiting(rules, row)
        _represented(rules, find_person(conn, call.project.id, call.actor.user_id, rules), None)
    except Failure:
        return []
    may_approve = row.user_id != call.actor.user_id
    may_approve = may_approve or project_settings(call.project).allow_pipeline_trigger_approve_deployment
    return ["approved", "rejected"] if may_approve else ["rejected"]


def find_represented(conn: Connection, call: Call, deployment_id: int) -> list[str]:
    """The names of the rules for which the caller can speak about a deployment; `represented_as` takes one of them."""
    row = get_deployment(conn, call.project.id, deployment_id)
    rules = rules_of(conn, call.project.id, get_environment(conn, call.project.id, row.environment_id).name)
    person = find_person(conn, call.project.id, call.actor.user_id, rules)
    return list(dict.fromkeys(entry_name(entry) for entry in _held(rules, person)))


def _held(rules: list[Covering], person: Person | None) -> list[NamedEntryRow]:
    """The rules of approval that count the person."""
    if person is None:
        return []
    return [entry for rule in rules for entry in rule.approval if person.holds(rule, entry)]


def _require_waiting(rules: list[Covering], row: DeploymentRow) -> None:
    if not rules:
        raise Failure(400, NOT_PROTECTED)
    if is_approved(rules, []):
        raise Failure(400, NO_RULES)
    if row.status != "blocked":
        raise Failure(400, NOT_WAITING)


def _represented(rules: list[Covering], person: Person | None, name: str | None) -> int | None:
    """The rule that the person speaks for: the named one, else the first; None where only numbers are asked."""
    if not any(rule.approval for rule in rules):
        if person is not None and all(any(person.holds(rule, one) for one in rule.deploy) for rule in rules):
            return None
        raise Failure(400, NO_RIGHT)
    # A vote counts for every rule: those that only want a number take it from people who may deploy.
    counting = [rule for rule in rules if not rule.approval and rule.row.required_approval_count]
    if person is None or not all(any(person.holds(rule, one) for one in rule.deploy) for rule in counting):
        raise Failure(400, NO_RIGHT)
    mine = _held(rules, person)
    if not mine:
        raise Failure(400, NO_RIGHT)
    if name is not None:
        mine = [entry for entry in mine if entry_name(entry) == name]
        if not mine:
            raise Failure(400, UNKNOWN_NAME)
    return mine[0].id
