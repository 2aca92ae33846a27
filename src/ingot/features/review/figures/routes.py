"""Endpoints that count, and the memberships of a user."""

from collections.abc import Sequence
from typing import Protocol

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR, SIGNED_IN
from ingot.features.people.users import get_user
from ingot.features.review.figures import queries
from ingot.features.review.figures.policy import may_see_associations
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity
from ingot.kit.errors import Forbidden
from ingot.kit.params import Paging, Param

routes = Routes("Figures")
USER_ID = "/users/{user_id:int}"


class UserCounts(Entity):
    """Counts of the caller's work."""

    merge_requests: int
    assigned_issues: int
    assigned_merge_requests: int
    review_requested_merge_requests: int
    todos: int


class AssociationsCount(Entity):
    """Counts of a user's memberships and contributions."""

    groups_count: int
    projects_count: int
    issues_count: int
    merge_requests_count: int


class InstanceStatistics(Entity):
    """Record counts of the instance, as texts with thousands separators."""

    forks: str
    issues: str
    merge_requests: str
    notes: str
    snippets: str
    ssh_keys: str
    milestones: str
    users: str
    groups: str
    projects: str
    active_users: str


class Membership(Entity):
    """A project or group that a user is a direct member of."""

    source_id: int
    source_name: str
    source_type: str
    access_level: int


class MembershipRow(Protocol):
    """A row of `queries.memberships`."""

    source_id: int
    source_name: str
    source_type: str
    access_level: int


class ListMemberships(Paging):
    """Which memberships."""

    type: str | None = Param("Only those of projects or of groups.", one_of=("Project", "Namespace"))


@routes.get("/user_counts", guard=SIGNED_IN, returns=UserCounts)
def get_user_counts(call: Call) -> Answer:
    """How many open issues, merge requests and to-dos wait for the caller."""
    counts = queries.work_of(call.conn, call.actor)
    return UserCounts(merge_requests=counts["assigned_merge_requests"], **counts)


@routes.get(f"{USER_ID}/associations_count", guard=SIGNED_IN, returns=AssociationsCount)
def get_associations_count(call: Call) -> Answer:
    """Counts of a user's memberships and contributions; for the user and administrators."""
    user_id = int(call.path["user_id"])
    if not may_see_associations(call.actor, user_id):
        raise Forbidden
    return AssociationsCount(**queries.belongings(call.conn, get_user(call.conn, user_id).id))


@routes.get(f"{USER_ID}/memberships", guard=ADMINISTRATOR, params=ListMemberships, returns=list[Membership])
def list_user_memberships(call: Call[ListMemberships]) -> Answer:
    """The projects and groups that a user is a direct member of (administrators)."""
    user = get_user(call.conn, int(call.path["user_id"]))
    return call.page(queries.memberships(user.id, call.params.type), _present)


def _present(_: Call, rows: Sequence[MembershipRow]) -> list[Membership]:
    return [
        Membership(
            source_id=row.source_id,
            source_name=row.source_name,
            source_type=row.source_type,
            access_level=row.access_level,
        )
        for row in rows
    ]


@routes.get("/application/statistics", guard=ADMINISTRATOR, returns=InstanceStatistics)
def get_application_statistics(call: Call) -> Answer:
    """Record counts of the instance (administrators)."""
    return InstanceStatistics(**{name: f"{number:,}" for name, number in queries.instance_totals(call.conn).items()})
