"""Lists that were found to be too long for a total: for some seconds nobody counts them again.

Totals are shown up to a limit, so every page of a longer list would count to the limit for nothing. A list is only
remembered when it is longer by a good margin: so many rows do not disappear within the seconds for which that holds.
"""

import time
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Select

from ingot.kit.statements.connection import text_of

COUNT_LIMIT = 10_000
MARGIN = 2_000
SECONDS = 10.0
MOST = 500

_until: dict[object, float] = {}


def count_up_to_limit(conn: Connection, count: Select[Any], values: Mapping[str, object]) -> int:
    """What the statement counts; it stops at `COUNT_LIMIT + MARGIN + 1`."""
    if is_known_large(conn, count, values):
        return COUNT_LIMIT + 1
    number = int(conn.execute(count, values).scalar_one())
    if number > COUNT_LIMIT + MARGIN and (key := _key(conn, count, values)) is not None:
        if len(_until) >= MOST:
            _until.clear()
        _until[key] = time.monotonic() + SECONDS
    return number


def is_known_large(conn: Connection, count: Select[Any], values: Mapping[str, object]) -> bool:
    """Whether nobody counts these rows now."""
    key = _key(conn, count, values) if _until else None
    return key is not None and _until.get(key, 0.0) > time.monotonic()


def _key(conn: Connection, count: Select[Any], values: Mapping[str, object]) -> object | None:
    text = text_of(conn, count, values)
    return None if text is None else (conn.engine.url, text)
