"""How large an artifact may be, and how long it is kept."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, select

from ingot.access.tables import namespace_ancestors, namespaces, projects
from ingot.features.spaces.groups import GroupSettings
from ingot.features.spaces.projects import project_settings
from ingot.instance import application_setting
from ingot.kit.clock import now
from ingot.kit.errors import ParamError
from ingot.kit.time_spans import is_never, parse_duration

MEGABYTE = 1024 * 1024

# spec: the plan's own limits by type, in megabytes; all other types follow `max_artifacts_size`
_OF_TYPE = {"lsif": 200, "terraform": 5, "cyclonedx": 5}


def max_size(conn: Connection, project_id: int, file_type: str) -> int:
    """Bytes: the smaller of the type's limit and that of the project, else the closest group, else the instance."""
    closest = _closest(conn, project_id)
    limits = [limit for limit in (_OF_TYPE.get(file_type, 0), closest) if limit > 0]
    return min(limits, default=0) * MEGABYTE


def _closest(conn: Connection, project_id: int) -> int:
    above = namespace_ancestors
    project = conn.execute(select(projects.c.settings).where(projects.c.id == project_id)).one()
    if (own := project_settings(project).max_artifacts_size) is not None:
        return own
    rows = conn.execute(
        select(namespaces.c.settings)
        .join_from(projects, above, above.c.namespace_id == projects.c.namespace_id)
        .join(namespaces, namespaces.c.id == above.c.ancestor_id)
        .where(projects.c.id == project_id, namespaces.c.kind == "group")
        .order_by(above.c.depth)
    )
    for row in rows:
        own = GroupSettings.of(row).max_artifacts_size
        if own is not None:
            return own
    return int(application_setting(conn, "max_artifacts_size") or 0)


def expiry(conn: Connection, expire_in: str | None) -> datetime | None:
    """When an artifact uploaded now expires; None is never."""
    options: Any = expire_in
    if options is None or not options.strip():
        options = str(application_setting(conn, "default_artifacts_expire_in") or "0")
        if is_never(options) or not parse_duration(options):
            return None
    if is_never(options):
        return None
    seconds = parse_duration(options)
    if seconds is None:
        raise ParamError("expire_in is invalid")
    return now() + timedelta(seconds=seconds)
