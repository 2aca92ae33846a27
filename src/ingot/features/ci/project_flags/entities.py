"""Feature flags and user lists on the wire."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from ingot.access.call import Call
from ingot.features.ci.project_flags import queries
from ingot.features.ci.project_flags.rows import FlagRow, StrategyRow, UserListRow
from ingot.features.ci.project_flags.values import NEW_VERSION
from ingot.kit.entity import Entity, wire


class FlagScope(Entity):
    """An environment of a strategy."""

    id: int
    environment_scope: str


class UsedList(Entity):
    """The list that a strategy names."""

    id: int
    iid: int
    name: str
    user_xids: str


class FlagStrategy(Entity):
    """For whom a flag is on."""

    id: int
    name: str
    parameters: Mapping[str, str]
    scopes: list[FlagScope]
    user_list: UsedList | None


class ProjectFlag(Entity, kw_only=True):
    """A feature flag of a project."""

    name: str
    description: str | None
    active: bool
    version: str
    created_at: datetime
    updated_at: datetime
    scopes: list[FlagScope] = []  # of flags of an older form, which do not exist here
    strategies: list[FlagStrategy]


class UserList(Entity):
    """A list of users as an application knows them."""

    id: int
    iid: int
    project_id: int
    created_at: datetime
    updated_at: datetime
    name: str
    user_xids: str
    path: str
    edit_path: str


def present_flags(call: Call, rows: Sequence[FlagRow]) -> list[ProjectFlag]:
    """A page of flags."""
    strategies = queries.strategies_of(call.conn, rows)
    scopes = queries.scopes_of(call.conn, strategies)
    return [
        ProjectFlag(
            name=row.name,
            description=row.description,
            active=row.active,
            version=NEW_VERSION,
            created_at=wire(row.created_at),
            updated_at=wire(row.updated_at),
            strategies=[
                FlagStrategy(
                    id=strategy.id,
                    name=strategy.name,
                    parameters=strategy.parameters,
                    scopes=[
                        FlagScope(id=scope.id, environment_scope=scope.environment_scope)
                        for scope in scopes.get(strategy.id, [])
                    ],
                    user_list=_used_list(strategy),
                )
                for strategy in strategies.get(row.id, [])
            ],
        )
        for row in rows
    ]


def _used_list(row: StrategyRow) -> UsedList | None:
    if row.user_list_id is None:
        return None
    return UsedList(id=row.user_list_id, iid=row.list_iid or 0, name=row.list_name or "", user_xids=row.user_xids or "")


def present_user_lists(call: Call, rows: Sequence[UserListRow]) -> list[UserList]:
    """A page of user lists."""
    place = f"/{call.project.full_path}/-/feature_flags_user_lists"
    return [
        UserList(
            id=row.id,
            iid=row.iid,
            project_id=row.project_id,
            created_at=wire(row.created_at),
            updated_at=wire(row.updated_at),
            name=row.name,
            user_xids=row.user_xids,
            path=f"{place}/{row.iid}",
            edit_path=f"{place}/{row.iid}/edit",
        )
        for row in rows
    ]
