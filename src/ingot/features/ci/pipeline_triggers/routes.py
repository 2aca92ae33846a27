"""Endpoints of pipeline triggers."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select

from ingot.access.call import Call
from ingot.access.policy import ANYONE_MAY_WRITE
from ingot.features.ci.engine import ADMIN_CI
from ingot.features.ci.pipeline_triggers import commands, policy
from ingot.features.ci.pipeline_triggers.params import (
    CreateTrigger,
    FireTrigger,
    ListTriggers,
    TriggerPath,
    UpdateTrigger,
)
from ingot.features.ci.pipeline_triggers.rows import PipelineTriggerRow
from ingot.features.ci.pipeline_triggers.tables import pipeline_triggers
from ingot.features.ci.pipeline_triggers.tokens import short_token
from ingot.features.ci.pipelines import Pipeline, pipelines_by_id
from ingot.features.people.users import UserBasic, users_by_id
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity, wire, wire_or_none
from ingot.kit.errors import BadRequest, Forbidden
from ingot.kit.patterns import ALPHANUMERIC, consists_of
from ingot.kit.sealing import unseal

routes = Routes("Pipeline triggers")
_ALL = "/projects/{id}/triggers"
_LONGEST_KEY = 255
_ONE = _ALL + "/{trigger_id}"


class Trigger(Entity):
    """A trigger token; complete for its owner, shortened for others."""

    id: int
    token: str
    description: str
    created_at: datetime
    updated_at: datetime
    deleted_at: None
    last_used: datetime | None
    expires_at: datetime | None
    owner: UserBasic | None


def present(call: Call, rows: Sequence[PipelineTriggerRow]) -> list[Trigger]:
    """A page of trigger tokens."""
    people = users_by_id(call.conn, [row.owner_id for row in rows], call.base_url)
    return [
        Trigger(
            id=row.id,
            token=_token(call, row),
            description=row.description,
            created_at=wire(row.created_at),
            updated_at=wire(row.updated_at),
            deleted_at=None,
            last_used=wire_or_none(row.last_used_at),
            expires_at=wire_or_none(row.expires_at),
            owner=people.get(row.owner_id or 0),
        )
        for row in rows
    ]


def _token(call: Call, row: PipelineTriggerRow) -> str:
    clear = unseal(call.services, row.sealed_token)
    return clear if row.owner_id == call.actor.user_id else short_token(clear)


def _find(call: Call[TriggerPath]) -> PipelineTriggerRow:
    return commands.get_trigger(call.conn, call.project.id, call.params.trigger_id)


def _shown(call: Call, trigger_id: int) -> Trigger:
    return present(call, [commands.get_trigger(call.conn, call.project.id, trigger_id)])[0]


@routes.get(_ALL, guard=ADMIN_CI, params=ListTriggers, returns=list[Trigger])
def list_triggers(call: Call[ListTriggers]) -> Answer:
    """Trigger tokens of a project."""
    table = pipeline_triggers
    return call.page(select(table).where(table.c.project_id == call.project.id).order_by(table.c.id), present)


@routes.get(_ONE, guard=ADMIN_CI, params=TriggerPath, returns=Trigger)
def get_trigger(call: Call[TriggerPath]) -> Answer:
    """One trigger token."""
    return present(call, [_find(call)])[0]


@routes.post(_ALL, guard=ADMIN_CI, params=CreateTrigger, returns=Trigger)
def create_trigger(call: Call[CreateTrigger]) -> Answer:
    """Create a token that starts pipelines as the caller."""
    with call.write() as tx:
        created = commands.create(
            tx,
            call.services,
            call.project.id,
            call.actor.id,
            description=call.params.description,
            expires_at=call.params.expires_at,
        )
    return _shown(call, created)


@routes.put(_ONE, guard=ADMIN_CI, params=UpdateTrigger, returns=Trigger)
def update_trigger(call: Call[UpdateTrigger]) -> Answer:
    """Change the description of a token; for its owner."""
    row = _find(call)
    if not policy.may_update(call.actor, row.owner_id):
        raise Forbidden
    if call.params.description is not None:
        with call.write() as tx:
            commands.describe(tx, row.id, call.params.description)
    return _shown(call, row.id)


@routes.delete(_ONE, guard=ADMIN_CI, params=TriggerPath)
def delete_trigger(call: Call[TriggerPath]) -> None:
    """Delete a token."""
    row = _find(call)
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        commands.remove(tx, row.id)


def _fire(call: Call[FireTrigger]) -> Pipeline:
    given = call.params.variables or {}
    if not all(_is_variable(key) and isinstance(value, str) for key, value in given.items()):
        raise BadRequest("variables needs to be a map of key-valued strings")
    payload = {name: value for name, value in call.values.items() if name != "token"}
    _, created = commands.fire(call.services, call.path["id"], call.params, payload)
    return pipelines_by_id(call.conn, [created], call.base_url)[created]


@routes.post("/projects/{id}/trigger/pipeline", guard=ANYONE_MAY_WRITE, params=FireTrigger, returns=Pipeline)
def trigger_pipeline(call: Call[FireTrigger]) -> Answer:
    """Start a pipeline with a trigger token, or from a job with its job token."""
    return _fire(call)


@routes.post("/projects/{id}/ref/{ref}/trigger/pipeline", guard=ANYONE_MAY_WRITE, params=FireTrigger, returns=Pipeline)
def trigger_pipeline_of_ref(call: Call[FireTrigger]) -> Answer:
    """The same, with the ref in the path."""
    return _fire(call)


def _is_variable(key: str) -> bool:
    return len(key) <= _LONGEST_KEY and consists_of(key, f"{ALPHANUMERIC}_")
