"""Changing user lists."""

from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from ingot.features.ci.project_flags.params import CreateUserList, UpdateUserList
from ingot.features.ci.project_flags.rows import UserListRow
from ingot.features.ci.project_flags.tables import flag_strategies, flag_user_lists
from ingot.features.ci.project_flags.values import list_problems
from ingot.kit.clock import now
from ingot.kit.counters import next_value
from ingot.kit.db import take_turn
from ingot.kit.errors import Texts

MOST = 100
TAKEN = Texts(400, ["Name has already been taken"])


def create_user_list(tx: Connection, project_id: int, options: CreateUserList) -> UserListRow:
    """A new list."""
    _check(options.name, options.user_xids)
    take_turn(tx, f"flag_user_lists:{project_id}")
    here = select(func.count()).where(flag_user_lists.c.project_id == project_id)
    if tx.execute(here).scalar_one() >= MOST:
        raise Texts(400, [f"Project Maximum number of user lists ({MOST}) exceeded"])
    created = insert(flag_user_lists).values(
        project_id=project_id,
        iid=next_value(tx, f"project:{project_id}", "flag_user_lists"),
        name=options.name,
        user_xids=options.user_xids,
        created_at=now(),
        updated_at=now(),
    )
    try:
        with tx.begin_nested():
            row: UserListRow = tx.execute(created.returning(*flag_user_lists.c)).one()
    except IntegrityError:
        raise TAKEN from None
    return row


def change_user_list(tx: Connection, row: UserListRow, options: UpdateUserList) -> UserListRow:
    """Change what was sent."""
    _check(options.name, options.user_xids)
    values = {name: value for name in ("name", "user_xids") if (value := getattr(options, name)) is not None}
    changed = update(flag_user_lists).where(flag_user_lists.c.id == row.id).values(**values, updated_at=now())
    try:
        with tx.begin_nested():
            result: UserListRow = tx.execute(changed.returning(*flag_user_lists.c)).one()
    except IntegrityError:
        raise TAKEN from None
    return result


def require_unused(tx: Connection, row: UserListRow) -> None:
    """409 while a strategy names the list."""
    if tx.execute(select(flag_strategies.c.id).where(flag_strategies.c.user_list_id == row.id)).first() is not None:
        raise Texts(409, ["User list is associated with a strategy"])


def _check(name: str | None, user_xids: str | None) -> None:
    problems = list_problems(name, user_xids)
    if problems:
        raise Texts(400, problems)
