"""Feature flags of the instance: named switches with a default, changed by administrators.

A flag is on for everybody (`boolean`), for some (`actors` such as `User:4` or `Project:7`), or for a share of the calls
or of the actors.
"""

import random
import zlib
from typing import TypedDict

from sqlalchemy import Connection, select

from ingot.instance.tables import feature_flags_table
from ingot.kit.call import Call

FLAGS: dict[str, bool] = {
    "auto_disabling_web_hooks": True,
    "ci_jwt_groups_direct": False,
    "import_project_from_remote_file": True,
    "mr_approved_filter": False,
    "restrict_merge_status_recheck": False,
}


class _Gates(TypedDict, total=False):
    """For whom a flag is on that is not on for everybody."""

    actors: list[str]
    percentage_of_actors: int
    percentage_of_time: int


def is_on(conn: Connection, name: str, *actors: str) -> bool:
    """The flag's state for these actors, or its default while nobody has set it."""
    row = conn.execute(
        select(feature_flags_table.c.enabled, feature_flags_table.c.gates).where(feature_flags_table.c.name == name)
    ).one_or_none()
    if row is None:
        return FLAGS.get(name, False)
    return bool(row.enabled) or _opened(name, row.gates, actors)


def is_on_for(call: Call, name: str) -> bool:
    """The flag's state for this call: its user, and the project or group that it is about."""
    actors = [] if call.actor.user_id is None else [f"User:{call.actor.user_id}"]
    project, group = getattr(call, "project_or_none", None), getattr(call, "group_or_none", None)
    if project is not None:
        actors += [f"Project:{project.id}", f"Repository:{project.id}"]
        actors += [f"{kind}:{project.namespace_id}" for kind in ("Group", "Namespace")]
    if group is not None:
        actors += [f"Group:{group.id}", f"Namespace:{group.id}"]
    return is_on(call.conn, name, *actors)


def _opened(name: str, gates: _Gates, actors: tuple[str, ...]) -> bool:
    if any(actor in gates.get("actors", ()) for actor in actors):
        return True
    share = gates.get("percentage_of_actors", 0)
    if share and any(zlib.crc32(f"{name}{actor}".encode()) % 100 < share for actor in actors):
        return True
    return bool(random.randrange(100) < gates.get("percentage_of_time", 0))  # noqa: S311 - a share of calls is no secret
