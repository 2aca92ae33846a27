"""Endpoints of feature flags (administrators)."""

from sqlalchemy import select

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR
from ingot.features.instance.feature_flags import commands
from ingot.features.instance.feature_flags.entities import Definition, Flag, definition_of, flag
from ingot.features.instance.feature_flags.params import SetFlag
from ingot.features.instance.feature_flags.rows import FlagRow
from ingot.instance import FLAGS
from ingot.instance.tables import feature_flags_table as flags
from ingot.kit.endpoint import Answer, Routes

routes = Routes("Feature flags", guard=ADMINISTRATOR)


@routes.get("/features", returns=list[Flag])
def list_features(call: Call) -> Answer:
    """All flags that were set, with their state."""
    rows = call.conn.execute(select(flags).order_by(flags.c.name))
    return [_shown(row) for row in rows]


@routes.get("/features/definitions", returns=list[Definition])
def list_feature_definitions(_: Call) -> Answer:
    """All flags that the code knows."""
    return [definition_of(name) for name in sorted(FLAGS)]


@routes.post("/features/{name}", params=SetFlag, returns=Flag)
def set_feature(call: Call[SetFlag]) -> Answer:
    """Open or close a flag, for everybody or for some."""
    return _shown(commands.set_flag(call, call.path["name"], call.params))


@routes.delete("/features/{name}")
def delete_feature(call: Call) -> Answer:
    """Reset a flag to its default."""
    with call.write() as tx:
        call.delete_rows(tx, flags, flags.c.name == call.path["name"])


def _shown(row: FlagRow) -> Flag:
    return flag(row.name, row.gates, enabled=row.enabled)
