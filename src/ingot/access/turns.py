"""Locks on PostgreSQL: changes of the group tree or of members run one at a time.

Two such transactions side by side would not see each other's members, projects or new places; the second one now starts
when the first has committed. SQLite has one writer anyway.
"""

from sqlalchemy import Connection, func, select

TURN = 0x1A607


def take_turn(tx: Connection, *, exclusive: bool) -> None:
    """Exclusive: changes groups, their members or shares. Shared: changes projects. Ends with the transaction.

    Take the exclusive lock first if both are needed: upgrading a shared lock could deadlock. So could a row that names
    a group or project and is written before its turn: whoever has the turn may be moving the group.
    """
    if tx.dialect.name == "postgresql":
        lock = func.pg_advisory_xact_lock if exclusive else func.pg_advisory_xact_lock_shared
        tx.execute(select(lock(TURN)))
