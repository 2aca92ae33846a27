"""How long somebody waits who signs in too often: counted by account and address, on all nodes together.

Five attempts in a minute are free. The next begins a wait of a minute. After a wait there is one attempt, and if it
fails, the next wait is longer. Who signs in begins anew, and so does who did not try for an hour. Waits are those of an
address: wrong passwords that somebody sends from elsewhere do not make the owner of the account wait longer.
"""

import time
from typing import NamedTuple

from sqlalchemy import Connection, delete, select

from ingot.instance.password_attempts import account_wait, is_tried_too_often
from ingot.kit.db import Database, take_turn
from ingot.kit.rate_windows import rate_windows
from ingot.kit.upsert import upsert

WAITS = (60, 120, 240, 480, 900)  # seconds
REMEMBERED = 3600  # seconds from the end of a wait, until the first one follows again


class _Wait(NamedTuple):
    number: int  # how many there were, this one included
    ends_at: int  # Unix time


class Attempt(NamedTuple):
    """Who tries what: waits are counted by both."""

    account: int | str
    address: str

    @property
    def key(self) -> str:
        """The name of its waits; the address first, for names that people type have any length."""
        return f"sign_in_wait:{self.address}:{self.account}"[:200]


def seconds_to_wait(db: Database, attempt: Attempt) -> int:
    """Count one more attempt; how long to wait instead, 0 where the password may be looked at."""
    moment = int(time.time())
    with db.read() as conn:
        last = _find(conn, attempt, moment)
    if last is not None and last.ends_at > moment:
        return last.ends_at - moment
    by_account = account_wait(db, attempt.account)
    if last is None:
        is_too_often = is_tried_too_often(db, f"{attempt.address}:{attempt.account}")
        if not is_too_often:
            return by_account
        _begin(db, attempt, moment, 1)
        return _length(1)
    # Others may have used up the attempts of this minute, which is no failure of this one.
    if by_account:
        return by_account
    # The wait begins before the password is looked at: of attempts at the same time one is enough.
    number = last.number + 1
    return 0 if _begin(db, attempt, moment, number) else _length(number)


def forget_waits(tx: Connection, attempt: Attempt) -> None:
    """The password was right."""
    tx.execute(delete(rate_windows).where(rate_windows.c.key == attempt.key))


def _find(conn: Connection, attempt: Attempt, moment: int) -> _Wait | None:
    table = rate_windows.c
    query = select(table.starts_at, table.observed).where(table.key == attempt.key)
    query = query.where(table.starts_at + table.period > moment).order_by(table.starts_at.desc()).limit(1)
    row = conn.execute(query).one_or_none()
    return None if row is None else _Wait(row.observed, row.starts_at + _length(row.observed))


def _begin(db: Database, attempt: Attempt, moment: int, number: int) -> bool:
    """Begin a wait; False where another attempt has just done so."""
    values = {
        "key": attempt.key, "starts_at": moment, "period": _length(number) + REMEMBERED, "observed": number,
    }  # fmt: skip
    with db.write() as tx:
        take_turn(tx, attempt.key)
        last = _find(tx, attempt, moment)
        if last is not None and last.number >= number:
            return False
        begun = upsert(tx.dialect.name, rate_windows).values(values).on_conflict_do_nothing()
        return tx.execute(begun).rowcount == 1


def _length(number: int) -> int:
    return WAITS[min(number, len(WAITS)) - 1]
