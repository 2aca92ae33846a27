"""Reading lists from a standby of PostgreSQL, never staler than what was acknowledged to anybody before the request.

The primary says how far its log is written when a request begins. Everything that was acknowledged until then is in the
log up to there, so a standby that has replayed that far knows it, whoever wrote it and on whichever node.
"""

import logging
import time
from typing import NamedTuple

from sqlalchemy import Connection, Engine, Text, cast, func, select, text
from sqlalchemy.exc import DBAPIError

from ingot.kit.ready_connections import ReadyConnection, ReadyConnections

log = logging.getLogger("ingot.database")

# So long a standby that cannot be reached is left alone.
AWAY_SECONDS = 5.0
# Replayed changes took away what a statement needed; a promoted or restarted server ended it.
_TEMPORARY = ("40001", "40P01", "57P01", "57P02", "57P03", "25006")

_POSITION = select(cast(func.pg_current_wal_flush_lsn(), Text))
# A promoted server is no standby any more, and its log is another one.
_HAS_REPLAYED = text("SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= CAST(:position AS pg_lsn)")
_STATE = text(
    "SELECT pg_is_in_recovery() AS follows,"
    " CASE WHEN pg_is_in_recovery() THEN pg_get_wal_replay_pause_state() <> 'not paused' ELSE false END AS is_paused,"
    " CASE WHEN pg_is_in_recovery()"
    " THEN greatest(0, CAST(:position AS pg_lsn) - pg_last_wal_replay_lsn()) ELSE 0 END AS bytes_behind"
)


class StandbyState(NamedTuple):
    """What a standby says of itself."""

    follows: bool
    is_paused: bool
    bytes_behind: int


def position_of(conn: Connection) -> str:
    """How far the log of the primary is written, on one of its read connections."""
    result: str = conn.execute(_POSITION).scalar_one()
    return result


class Standby:
    """Connections to the standby."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._ready = ReadyConnections(engine.connect)
        self._away_until = 0.0

    def is_away(self) -> bool:
        """It could not be reached a moment ago."""
        return time.monotonic() < self._away_until

    def read_at(self, position: str) -> ReadyConnection | None:
        """A read that sees everything up to the position; None where the standby does not have it yet."""
        reading = ReadyConnection(self._ready)
        try:
            with reading as conn:
                is_current = conn.execute(_HAS_REPLAYED, {"position": position}).scalar_one()
        except DBAPIError as fault:
            self.note_fault(fault)
            return None
        return ReadyConnection(self._ready) if is_current else None

    def state(self, position: str) -> StandbyState:
        """How it is at this moment, seen from a position of the primary; raises where it cannot be reached."""
        with self._engine.connect() as conn:
            row = conn.execute(_STATE, {"position": position}).one()
        return StandbyState(bool(row.follows), bool(row.is_paused), int(row.bytes_behind))

    def note_fault(self, fault: DBAPIError) -> bool:
        """Whether the primary should be asked instead; a standby that went away is not asked for a while."""
        if fault.connection_invalidated or getattr(fault.orig, "sqlstate", None) is None:
            log.warning("The standby cannot be read: %s", type(fault.orig).__name__)
            self._away_until = time.monotonic() + AWAY_SECONDS
            return True
        return getattr(fault.orig, "sqlstate", None) in _TEMPORARY

    def close(self) -> None:
        """Close the connections."""
        self._ready.close()
        self._engine.dispose()
