"""Reading what people chose."""

from collections.abc import Collection, Mapping

import msgspec
from sqlalchemy import Connection, and_, or_, select

from ingot.access.tables import namespace_ancestors, project_authorizations, projects
from ingot.features.people.users import user_emails
from ingot.features.spaces.notification_settings.levels import ON_BY_DEFAULT, Level
from ingot.features.spaces.notification_settings.rows import NotificationSettingRow
from ingot.features.spaces.notification_settings.tables import notification_settings

_columns = notification_settings.c
BATCH = 500


def find_setting(conn: Connection, user_id: int, place: Mapping[str, int]) -> NotificationSettingRow | None:
    """What a user chose in general, or for one project or group."""
    query = select(notification_settings).where(
        _columns.user_id == user_id,
        *(
            _columns[name] == place[name] if name in place else _columns[name].is_(None)
            for name in ("project_id", "group_id")
        ),
    )
    return conn.execute(query).one_or_none()


class Preferences(msgspec.Struct, frozen=True):
    """What counts for somebody in one project."""

    level: Level = Level.PARTICIPATING
    events: Mapping[str, bool] = msgspec.field(default_factory=dict)
    address: str | None = None  # where it is not their first one
    own_activity: bool = False

    def chooses(self, event: str) -> bool:
        """The level `custom` with this event."""
        return self.level is Level.CUSTOM and self.events.get(event, event in ON_BY_DEFAULT)


def _groups_above(conn: Connection, project_id: int) -> list[int]:
    """The groups of a project, the nearest first."""
    above = namespace_ancestors
    query = (
        select(above.c.ancestor_id)
        .join(projects, projects.c.namespace_id == above.c.namespace_id)
        .where(projects.c.id == project_id)
        .order_by(above.c.depth)
    )
    return list(conn.execute(query).scalars())


def load_preferences(conn: Connection, project_id: int, user_ids: Collection[int]) -> dict[int, Preferences]:
    """What counts for each person: the setting of the project, else of the nearest group, else the general one."""
    groups = _groups_above(conn, project_id)
    places: list[tuple[str, int]] = [("project", project_id), *(("group", group_id) for group_id in groups)]
    general = and_(_columns.project_id.is_(None), _columns.group_id.is_(None))
    here = or_(_columns.project_id == project_id, _columns.group_id.in_(groups), general)
    known: dict[int, dict[tuple[str, int], NotificationSettingRow]] = {user_id: {} for user_id in user_ids}
    owned: set[tuple[int, str]] = set()
    ids = sorted(known)
    for start in range(0, len(ids), BATCH):
        query = select(notification_settings).where(_columns.user_id.in_(ids[start : start + BATCH]), here)
        rows = conn.execute(query).all()
        for row in rows:
            place = ("project", row.project_id) if row.project_id else ("group", row.group_id or 0)
            known[row.user_id][place] = row
        owned |= _second_addresses(conn, [row.user_id for row in rows if row.notification_email])
    return {user_id: _preferences(rows, places, owned) for user_id, rows in known.items()}


def _second_addresses(conn: Connection, user_ids: Collection[int]) -> set[tuple[int, str]]:
    """The confirmed addresses of people beside their first."""
    table = user_emails.c
    query = select(table.user_id, table.email).where(table.user_id.in_(user_ids), table.confirmed_at.is_not(None))
    return {(row.user_id, row.email) for row in conn.execute(query)} if user_ids else set()


def _preferences(
    rows: Mapping[tuple[str, int], NotificationSettingRow],
    places: Collection[tuple[str, int]],
    owned: Collection[tuple[int, str]],
) -> Preferences:
    top = rows.get(("group", 0))
    chosen = [rows[place] for place in places if place in rows and rows[place].level != Level.GLOBAL]
    if not chosen and top is not None and top.level != Level.GLOBAL:
        chosen = [top]
    return Preferences(
        level=Level(chosen[0].level) if chosen else Level.PARTICIPATING,
        events=chosen[0].events if chosen else {},
        # A chosen address that was removed since is somebody else's now, or nobody's.
        address=top.notification_email if top and (top.user_id, top.notification_email) in owned else None,
        own_activity=top is not None and top.notified_of_own_activity,
    )


def people_who_want(conn: Connection, project_id: int) -> set[int]:
    """People who may want mails about everything in a project: they watch it, a group above it, or all of theirs."""
    rights = project_authorizations
    member = select(rights.c.user_id).where(rights.c.project_id == project_id)
    general = and_(_columns.project_id.is_(None), _columns.group_id.is_(None), _columns.user_id.in_(member))
    here = or_(_columns.project_id == project_id, _columns.group_id.in_(_groups_above(conn, project_id)), general)
    query = select(_columns.user_id).where(_columns.level.in_((Level.WATCH, Level.CUSTOM)), here)
    return set(conn.execute(query).scalars())
