"""How long somebody waits who signs in too often: counted by account, on all nodes together.

Five attempts in a minute are free. The next begins a wait of a minute. After a wait there is one attempt, and if it
fails, the next wait is longer. Who signs in begins anew, and so does an account that nobody tried for an hour.
"""

import time
from typing import NamedTuple

from sqlalchemy import Connection, delete, select

from ingot.instance.password_attempts import is_tried_too_often
from ingot.kit.db import Database, take_turn
from ingot.kit.rate_windows import rate_windows
from ingot.kit.upsert import upsert

WAITS = (60, 120, 240, 480, 900)  # seconds
REMEMBERED = 3600  # seconds from the end of a wait, until the first one follows again


class _Wait(NamedTuple):
    number: int  # how many there were, this one included
    ends_at: int  # Unix time


def seconds_to_wait(db: Database, account: int | str) -> int:
    """Count one more attempt; how long to wait instead, 0 where the password may be looked at."""
    moment = int(time.time())
    with db.read() as conn:
        last = _find(conn, account, moment)
    if last is not None and last.ends_at > moment:
        return last.ends_at - moment
    is_too_often = is_tried_too_often(db, account)
    if last is None and not is_too_often:
        return 0
    number = 1 if last is None else last.number + 1
    # The wait begins before the password is looked at: of attempts at the same time one is enough.
    is_first = _begin(db, account, moment, number)
    return 0 if is_first and last is not None else _length(number)


def forget_waits(tx: Connection, account: int | str) -> None:
    """The password was right."""
    tx.execute(delete(rate_windows).where(rate_windows.c.key == _key(account)))


def _find(conn: Connection, account: int | str, moment: int) -> _Wait | None:
    table = rate_windows.c
    query = select(table.starts_at, table.observed).where(table.key == _key(account))
    query = query.where(table.starts_at + table.period > moment).order_by(table.starts_at.desc()).limit(1)
    row = conn.execute(query).one_or_none()
    return None if row is None else _Wait(row.observed, row.starts_at + _length(row.observed))


def _begin(db: Database, account: int | str, moment: int, number: int) -> bool:
    """Begin a wait; False where another attempt has just done so."""
    values = {
        "key": _key(account), "starts_at": moment, "period": _length(number) + REMEMBERED, "observed": number,
    }  # fmt: skip
    with db.write() as tx:
        take_turn(tx, _key(account))
        last = _find(tx, account, moment)
        if last is not None and last.number >= number:
            return False
        begun = upsert(tx.dialect.name, rate_windows).values(values).on_conflict_do_nothing()
        return tx.execute(begun).rowcount == 1


def _length(number: int) -> int:
    return WAITS[min(number, len(WAITS)) - 1]


def _key(account: int | str) -> str:
    return f"sign_in_wait:{account}"[:200]
