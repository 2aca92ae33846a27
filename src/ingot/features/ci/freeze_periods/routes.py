"""Endpoints of freeze periods."""

from ingot.access.call import Call
from ingot.features.ci.freeze_periods import commands, queries
from ingot.features.ci.freeze_periods.entities import FreezePeriod, present
from ingot.features.ci.freeze_periods.params import (
    CreateFreezePeriod,
    FreezePeriodPath,
    ListFreezePeriods,
    UpdateFreezePeriod,
)
from ingot.features.ci.freeze_periods.policy import ADMIN_FREEZE_PERIODS, READ_FREEZE_PERIODS
from ingot.features.ci.freeze_periods.rows import FreezePeriodRow
from ingot.features.ci.freeze_periods.tables import freeze_periods
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.pagination import Keyset

routes = Routes("Freeze periods")
ALL = "/projects/{id}/freeze_periods"
ONE = ALL + "/{freeze_period_id}"


def _row(call: Call[FreezePeriodPath]) -> FreezePeriodRow:
    return queries.get(call.conn, call.project.id, call.params.freeze_period_id)


@routes.get(ALL, guard=READ_FREEZE_PERIODS, params=ListFreezePeriods, returns=list[FreezePeriod])
def list_freeze_periods(call: Call[ListFreezePeriods]) -> Answer:
    """Freeze periods of a project."""
    return call.page(queries.listed(call.project.id), present, keyset=Keyset(freeze_periods.c.id, descending=False))


@routes.get(ONE, guard=READ_FREEZE_PERIODS, params=FreezePeriodPath, returns=FreezePeriod)
def get_freeze_period(call: Call[FreezePeriodPath]) -> Answer:
    """One freeze period."""
    return present(call, [_row(call)])[0]


@routes.post(ALL, guard=ADMIN_FREEZE_PERIODS, params=CreateFreezePeriod, returns=FreezePeriod)
def create_freeze_period(call: Call[CreateFreezePeriod]) -> Answer:
    """Add a freeze period: jobs of pipelines made in it have the variable `CI_DEPLOY_FREEZE`."""
    with call.write() as tx:
        row = commands.create(tx, call.project.id, call.params)
    return present(call, [row])[0]


@routes.put(ONE, guard=ADMIN_FREEZE_PERIODS, params=UpdateFreezePeriod, returns=FreezePeriod)
def update_freeze_period(call: Call[UpdateFreezePeriod]) -> Answer:
    """Change a freeze period."""
    row = _row(call)
    with call.write() as tx:
        changed = commands.change(tx, row, call.params)
    return present(call, [changed])[0]


@routes.delete(ONE, guard=ADMIN_FREEZE_PERIODS, params=FreezePeriodPath)
def delete_freeze_period(call: Call[FreezePeriodPath]) -> None:
    """Remove a freeze period."""
    row = _row(call)
    with call.write() as tx:
        call.delete_rows(tx, freeze_periods, freeze_periods.c.id == row.id)
