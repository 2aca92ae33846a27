"""Changing feature flags."""

from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from ingot.features.ci.project_flags.params import CreateFlag, UpdateFlag
from ingot.features.ci.project_flags.rows import FlagRow
from ingot.features.ci.project_flags.strategies import add_strategy, change_strategies
from ingot.features.ci.project_flags.tables import project_flags
from ingot.features.ci.project_flags.values import LONGEST_TEXT, NEW_VERSION, flag_name_problem
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.db import take_turn
from ingot.kit.errors import Failure, Texts

MOST = 200  # every application reads all of them
TAKEN = Texts(400, ["Name has already been taken"])


def create_flag(tx: Connection, project_id: int, options: CreateFlag) -> None:
    """A new flag with its strategies."""
    if options.version not in (None, NEW_VERSION):
        raise Failure(400, "Version is invalid")
    _check(options.name, options.description)
    take_turn(tx, f"project_flags:{project_id}")
    here = select(func.count()).where(project_flags.c.project_id == project_id)
    if tx.execute(here).scalar_one() >= MOST:
        raise Texts(400, [f"Project Maximum number of feature flags ({MOST}) exceeded"])
    moment = now()
    created = insert(project_flags).values(
        project_id=project_id,
        name=options.name,
        description=options.description,
        active=options.active,
        created_at=moment,
        updated_at=moment,
    )
    try:
        with tx.begin_nested():
            flag_id = tx.execute(created.returning(project_flags.c.id)).scalar_one()
    except IntegrityError:
        raise TAKEN from None
    for strategy in options.strategies:
        add_strategy(tx, project_id, flag_id, strategy)
    report_flag(tx, "create", project_id, flag_id, options.name, {})


def change_flag(tx: Connection, row: FlagRow, user_id: int | None, options: UpdateFlag) -> None:
    """Change what was sent."""
    values: dict[str, object] = {
        name: getattr(options, name)
        for name in ("name", "description", "active")
        if name in options.sent and (name == "description" or getattr(options, name) is not None)
    }
    name = str(values.get("name", row.name))
    _check(name, options.description)
    changed = update(project_flags).where(project_flags.c.id == row.id).values(**values, updated_at=now())
    try:
        with tx.begin_nested():
            tx.execute(changed)
    except IntegrityError:
        raise TAKEN from None
    change_strategies(tx, row, options.strategies)
    before = {"name": row.name, "description": row.description, "active": row.active}
    report_flag(tx, "update", row.project_id, row.id, name, {"before": before, "after": {**before, **values}})
    if values.get("active", row.active) != row.active:
        toggled = Change("feature_flag", "toggle", row.id, project_id=row.project_id, user_id=user_id)
        report_change(tx, toggled)


def report_flag(tx: Connection, action: str, project_id: int, flag_id: int, name: str, more: dict[str, object]) -> None:
    """Report a change for the audit."""
    details = {"type": "feature_flag", "name": name, **more}
    report_change(tx, Change("audited_record", action, flag_id, project_id=project_id, details=details))


def _check(name: str, description: str | None) -> None:
    problem = flag_name_problem(name)
    if problem is not None:
        raise Texts(400, [problem])
    if len(description or "") > LONGEST_TEXT:
        raise Texts(400, [f"Description is too long (maximum is {LONGEST_TEXT} characters)"])
