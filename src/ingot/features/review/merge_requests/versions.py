"""Hooks for other features: run when the content of a merge request changes.

They write in the transaction that stores the new head, base or target, so nobody can merge in between.
"""

from collections.abc import Callable, Mapping
from types import SimpleNamespace

from sqlalchemy import Connection

from ingot.features.review.merge_requests.queries import COLUMNS
from ingot.features.review.merge_requests.rows import MergeRequestWithProject
from ingot.kit.services import Services

WATCHED = ("head_sha", "base_sha", "checked_target_sha")

Store = Callable[[Connection], None]
Prepare = Callable[[Services, Connection, MergeRequestWithProject, MergeRequestWithProject], Store]
FollowRetarget = Callable[[Connection, MergeRequestWithProject], None]

_prepare: list[Prepare] = []
_retargeted: list[FollowRetarget] = []


def on_change(prepare: Prepare) -> Prepare:
    """Register a follower of new heads, bases and target commits.

    It gets the request before and after the change, reads git, and returns what it stores in the transaction.
    """
    _prepare.append(prepare)
    return prepare


def on_retarget(follow: FollowRetarget) -> FollowRetarget:
    """Register a follower of new target branches; it gets the transaction and the request as it was."""
    _retargeted.append(follow)
    return follow


def prepare_change(
    services: Services, conn: Connection, row: MergeRequestWithProject, values: Mapping[str, object]
) -> list[Store]:
    """Collect what must be stored together with these values."""
    if values["head_sha"] is None or all(getattr(row, name) == values[name] for name in WATCHED):
        return []
    after = SimpleNamespace(**{**{column.name: getattr(row, column.name) for column in COLUMNS}, **values})
    return [prepare(services, conn, row, after) for prepare in _prepare]


def follow_retarget(tx: Connection, row: MergeRequestWithProject) -> None:
    """Report a new target branch."""
    for follow in _retargeted:
        follow(tx, row)
