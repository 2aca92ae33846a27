"""Filters of the lists: one function per filter, each returning its input when the filter is absent."""

from datetime import UTC
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, exists, false, func, or_, select

from ingot.features.award_emoji import award_emoji
from ingot.features.environments import deployment_merge_requests, deployments, environments
from ingot.features.labels import labels
from ingot.features.merge_requests.tables import (
    merge_request_assignees,
    merge_request_labels,
    merge_request_reviewers,
    merge_requests,
)
from ingot.features.milestones import ids_matching
from ingot.identity.tables import users
from ingot.kit import coercion
from ingot.kit.clock import through
from ingot.kit.params import ANY, NONE

Statement = Select[Any]


def user_named(username: str) -> Any:
    """The id of a user, as a subquery; nobody where the name is unknown."""
    return select(users.c.id).where(users.c.username_lower == username.lower()).scalar_subquery()


def _linked(table: Any, user: Any = None) -> ColumnElement[bool]:
    found = exists().where(table.c.merge_request_id == merge_requests.c.id)
    return found if user is None else found.where(table.c.user_id == user)


def by_state(found: Statement, state: str | None) -> Statement:
    """Opened, closed, locked or merged."""
    return found if state in (None, "", "all") else found.where(merge_requests.c.state == state)


def by_people(found: Statement, wish: Any) -> Statement:
    """Author, assignees, reviewers and who merged."""
    if wish.author_id is not None:
        found = found.where(merge_requests.c.author_id == wish.author_id)
    if wish.author_username:
        found = found.where(merge_requests.c.author_id == user_named(wish.author_username))
    if wish.merge_user_id is not None:
        found = found.where(merge_requests.c.merged_by_id == wish.merge_user_id)
    if wish.merge_user_username:
        found = found.where(merge_requests.c.merged_by_id == user_named(wish.merge_user_username))
    found = by_link(found, merge_request_assignees, wish.assignee_id)
    for username in wish.assignee_username:
        found = found.where(_linked(merge_request_assignees, user_named(username)))
    found = by_link(found, merge_request_reviewers, wish.reviewer_id)
    if wish.reviewer_username in (NONE, ANY):
        return by_link(found, merge_request_reviewers, wish.reviewer_username)
    if wish.reviewer_username:
        found = found.where(_linked(merge_request_reviewers, user_named(wish.reviewer_username)))
    return found


def by_link(found: Statement, table: Any, wanted: Any) -> Statement:
    """An assignee or reviewer by id, `None` or `Any`."""
    if wanted is None:
        return found
    if wanted is NONE:
        return found.where(~_linked(table))
    return found.where(_linked(table) if wanted is ANY else _linked(table, wanted))


def has_label(name: str) -> ColumnElement[bool]:
    """The request bears a label of this exact name."""
    named = select(labels.c.id).where(labels.c.name == name)
    return exists().where(
        merge_request_labels.c.merge_request_id == merge_requests.c.id, merge_request_labels.c.label_id.in_(named)
    )


# A label that fewer requests bear is found from its own side; beyond, a scan in order reaches a page sooner.
RARE = 2000


def bearers_of_rare(conn: Connection, name: str) -> list[int] | None:
    """The requests with this label, unless they are many."""
    named = select(labels.c.id).where(labels.c.name == name)
    links = merge_request_labels
    found = select(links.c.merge_request_id).where(links.c.label_id.in_(named)).limit(RARE + 1)
    ids = list(conn.execute(found).scalars())
    return None if len(ids) > RARE else ids


def by_labels(conn: Connection, found: Statement, wanted: Any) -> Statement:
    """All of the names; `None` or `Any` anywhere in the list win."""
    if isinstance(wanted, list):
        words = {name.lower() for name in wanted}
        wanted = NONE if "none" in words else ANY if "any" in words else wanted
    any_label = exists().where(merge_request_labels.c.merge_request_id == merge_requests.c.id)
    if wanted is NONE:
        return found.where(~any_label)
    if wanted is ANY:
        return found.where(any_label)
    for name in wanted:
        few = bearers_of_rare(conn, name)
        found = found.where(has_label(name) if few is None else merge_requests.c.id.in_(few))
    return found


def milestone_condition(wanted: Any) -> ColumnElement[bool]:
    """A milestone by title, or one of the special words."""
    text = str(wanted).lower()
    if wanted is NONE or text == "no milestone":
        return merge_requests.c.milestone_id.is_(None)
    if wanted is ANY or text == "any milestone":
        return merge_requests.c.milestone_id.is_not(None)
    return merge_requests.c.milestone_id.in_(ids_matching(wanted))


def reacted(user_id: int, name: str | None = None) -> ColumnElement[bool]:
    """The user reacted to the request (with this emoji)."""
    found = exists().where(
        award_emoji.c.awardable_type == "MergeRequest",
        award_emoji.c.awardable_id == merge_requests.c.id,
        award_emoji.c.user_id == user_id,
    )
    return found if name is None else found.where(award_emoji.c.name == name)


def by_reaction(found: Statement, user_id: int | None, wanted: Any) -> Statement:
    """The caller's own reactions; ignored when anonymous."""
    if wanted is None or user_id is None:
        return found
    if wanted is NONE:
        return found.where(~reacted(user_id))
    return found.where(reacted(user_id, None if wanted is ANY else wanted))


def by_times(found: Statement, wish: Any) -> Statement:
    """Inclusive bounds on creation and change."""
    for column, after, before in (
        (merge_requests.c.created_at, wish.created_after, wish.created_before),
        (merge_requests.c.updated_at, wish.updated_after, wish.updated_before),
    ):
        if after is not None:
            found = found.where(column >= after)
        if before is not None:
            found = found.where(column <= through(before))
    return found


def by_deployment(found: Statement, wish: Any) -> Statement:
    """The three deployment filters combine on one and the same deployment; unreadable times are ignored."""
    after, before = _moment(wish.deployed_after), _moment(wish.deployed_before)
    if after is None and before is None and not wish.environment:
        return found
    deployed = exists().where(
        deployment_merge_requests.c.merge_request_id == merge_requests.c.id,
        deployment_merge_requests.c.deployment_id == deployments.c.id,
        deployments.c.status == "success",
    )
    if after is not None:
        deployed = deployed.where(deployments.c.finished_at > after)
    if before is not None:
        deployed = deployed.where(deployments.c.finished_at < before)
    if wish.environment:
        deployed = deployed.where(
            deployments.c.environment_id == environments.c.id,
            environments.c.name == wish.environment,
            environments.c.project_id == merge_requests.c.project_id,
        )
    return found.where(deployed)


def _moment(text: str | None) -> Any:
    try:
        moment = coercion.to_datetime(text)
    except coercion.Unfit:
        return None
    return None if moment is None else moment.astimezone(UTC)


def by_places(found: Statement, wish: Any) -> Statement:
    """Branches, source project, numbers and drafts."""
    if wish.iids:
        found = found.where(merge_requests.c.iid.in_(wish.iids))
    if wish.source_branch:
        found = found.where(merge_requests.c.source_branch == wish.source_branch)
    if wish.target_branch:
        found = found.where(merge_requests.c.target_branch == wish.target_branch)
    if wish.source_project_id is not None:
        found = found.where(merge_requests.c.source_project_id == wish.source_project_id)
    if wish.wip is not None:
        found = found.where(merge_requests.c.is_draft.is_(wish.wip == "yes"))
    return found


def by_scope(found: Statement, user_id: int | None, scope: str | None) -> Statement:
    """The caller's own requests, assignments or reviews."""
    word = (scope or "all").replace("-", "_")
    if word == "all":
        return found
    if user_id is None:
        return found.where(false())
    match word:
        case "created_by_me":
            return found.where(merge_requests.c.author_id == user_id)
        case "assigned_to_me":
            return found.where(_linked(merge_request_assignees, user_id))
        case _:
            return found.where(_linked(merge_request_reviewers, user_id))


def negated(found: Statement, user_id: int | None, wish: Any) -> Statement:
    """`not[...]`."""
    if wish is None:
        return found
    if wish.labels:
        found = found.where(*(~has_label(name) for name in wish.labels))
    if wish.milestone:
        found = found.where(_other_milestone(wish.milestone))
    for author in _users(wish.author_id, wish.author_username):
        found = found.where(or_(merge_requests.c.author_id.is_(None), merge_requests.c.author_id != author))
    for assignee in [*_users(wish.assignee_id, None), *(user_named(name) for name in wish.assignee_username)]:
        found = found.where(~_linked(merge_request_assignees, assignee))
    if wish.reviewer_id is not None:
        found = found.where(~_linked(merge_request_reviewers, wish.reviewer_id), _exists_user(wish.reviewer_id))
    if wish.reviewer_username:
        reviewer = user_named(wish.reviewer_username)
        found = found.where(~_linked(merge_request_reviewers, reviewer), reviewer.is_not(None))
    if wish.my_reaction_emoji and user_id is not None:
        found = found.where(~reacted(user_id, wish.my_reaction_emoji))
    return found


def _users(user_id: int | None, username: str | None) -> list[Any]:
    by_id = [] if user_id is None else [user_id]
    return [*by_id, func.coalesce(user_named(username), 0)] if username else by_id


def _exists_user(user_id: int) -> ColumnElement[bool]:
    return exists().where(users.c.id == user_id)


def _other_milestone(title: str) -> ColumnElement[bool]:
    condition = milestone_condition(title)
    if title.lower() in ("#upcoming", "#started"):
        return and_(~condition, merge_requests.c.milestone_id.is_not(None))
    return or_(merge_requests.c.milestone_id.is_(None), ~condition)
