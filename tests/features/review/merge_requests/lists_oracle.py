"""The filters of the merge request lists in plain Python, one predicate each."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.features.review.merge_requests.lists_world import Caller, ListsWorld, Request

Predicate = Callable[[Request, Caller], bool]


def _after(moment: datetime, bound: str) -> bool:
    return moment >= datetime.fromisoformat(bound).astimezone(UTC)


def _before(moment: datetime, bound: str) -> bool:
    limit = datetime.fromisoformat(bound).astimezone(UTC)
    return moment < limit + timedelta(seconds=1)


def _words(text: str) -> list[str]:
    return [word.lower() for word in text.replace('"', "").split()]


def _search(request: Request, text: str, fields: str) -> bool:
    phrase = [text.strip('"').lower()] if text.startswith('"') else _words(text)
    values = [getattr(request, name) or "" for name in fields.split(",")]
    return any(all(word in value.lower() for word in phrase) for value in values)


def _milestone(request: Request, value: str) -> bool:
    match value.lower():
        case "none":
            return request.milestone is None
        case "any":
            return request.milestone is not None
        case _:
            return request.milestone == value


def _labels(request: Request, value: str) -> bool:
    match value.lower():
        case "none":
            return not request.labels
        case "any":
            return bool(request.labels)
        case _:
            return all(name in request.labels for name in value.split(","))


def _linked(people: list[int], value: Any) -> bool:
    match str(value).lower():
        case "none":
            return not people
        case "any":
            return bool(people)
        case _:
            return int(value) in people


def _mine(request: Request, caller: Caller, value: str) -> bool:
    if caller.user_id is None:
        return True
    own = {emoji for user_id, emoji in request.reactions if user_id == caller.user_id}
    match value.lower():
        case "none":
            return not own
        case "any":
            return bool(own)
        case _:
            return value in own


def _scope(request: Request, caller: Caller, scope: str) -> bool:
    match scope.replace("-", "_"):
        case "all":
            return True
        case "created_by_me":
            return request.author == caller.user_id
        case "assigned_to_me":
            return caller.user_id in request.assignees
        case _:
            return caller.user_id in request.reviewers


def predicates(world: ListsWorld) -> dict[str, Callable[[Any], Predicate]]:
    """A predicate maker for each parameter."""
    names = {person.username: person.id for person in world.people}

    def user(username: str) -> int:
        return names.get(username.lower(), -1)

    return {
        "state": lambda v: lambda r, c: v in ("all", r.state),
        "scope": lambda v: lambda r, c: _scope(r, c, v),
        "author_id": lambda v: lambda r, c: r.author == v,
        "author_username": lambda v: lambda r, c: r.author == user(v),
        "assignee_id": lambda v: lambda r, c: _linked(r.assignees, v),
        "reviewer_id": lambda v: lambda r, c: _linked(r.reviewers, v),
        "reviewer_username": lambda v: lambda r, c: _linked(
            r.reviewers, v if v.lower() in ("none", "any") else user(v)
        ),
        "merge_user_id": lambda v: lambda r, c: r.merged_by == v,
        "merge_user_username": lambda v: lambda r, c: r.merged_by == user(v),
        "labels": lambda v: lambda r, c: _labels(r, v),
        "milestone": lambda v: lambda r, c: _milestone(r, v),
        "my_reaction_emoji": lambda v: lambda r, c: _mine(r, c, v),
        "search": lambda v: lambda r, c: _search(r, v, "title,description"),
        "source_branch": lambda v: lambda r, c: r.source_branch == v,
        "target_branch": lambda v: lambda r, c: r.target_branch == v,
        "wip": lambda v: lambda r, c: r.is_draft == (v == "yes"),
        "created_after": lambda v: lambda r, c: _after(r.created_at, v),
        "created_before": lambda v: lambda r, c: _before(r.created_at, v),
        "updated_after": lambda v: lambda r, c: _after(r.updated_at, v),
        "updated_before": lambda v: lambda r, c: _before(r.updated_at, v),
        "environment": lambda v: lambda r, c: any(env == v for env, _ in r.deployed),
        "deployed_after": lambda v: lambda r, c: any(m > datetime.fromisoformat(v) for _, m in r.deployed),
        "deployed_before": lambda v: lambda r, c: any(m < datetime.fromisoformat(v) for _, m in r.deployed),
        "approved_by_ids": lambda v: lambda r, c: (
            all(user_id in r.approved_by for user_id in v) if isinstance(v, list) else _linked(r.approved_by, v)
        ),
        "approved_by_usernames": lambda v: lambda r, c: all(user(name) in r.approved_by for name in v),
        "not[labels]": lambda v: lambda r, c: not any(name in r.labels for name in v.split(",")),
        "not[milestone]": lambda v: lambda r, c: r.milestone != v,
        "not[author_id]": lambda v: lambda r, c: r.author != v,
        "not[author_username]": lambda v: lambda r, c: r.author != user(v),
        "not[assignee_id]": lambda v: lambda r, c: v not in r.assignees,
        "not[assignee_username]": lambda v: lambda r, c: user(v) not in r.assignees,
        "not[reviewer_id]": lambda v: lambda r, c: v not in r.reviewers,
        "not[reviewer_username]": lambda v: lambda r, c: user(v) not in r.reviewers,
        "not[my_reaction_emoji]": lambda v: lambda r, c: (
            c.user_id is None or (c.user_id, v) not in r.reactions
        ),
    }  # fmt: skip


def values(world: ListsWorld) -> dict[str, list[Any]]:
    """Values worth trying for each parameter."""
    ids = [person.id for person in world.people]
    names = [person.username for person in world.people]
    one = world.requests[100].created_at.replace(microsecond=0)
    merged = next(r.merged_at for r in world.requests if r.deployed and r.merged_at)
    times = [one.isoformat(), (one + timedelta(days=2)).isoformat(), "2026-01-03"]
    times = [t if "T" in t else f"{t}T00:00:00+00:00" for t in times]
    return {
        "state": ["opened", "closed", "merged", "locked", "all"],
        "scope": ["all", "created_by_me", "assigned_to_me", "reviews_for_me", "assigned-to-me"],
        "author_id": [ids[1], 999_999],
        "author_username": [names[2].upper(), names[2], "nobody"],
        "assignee_id": [ids[0], "None", "any", 999_999],
        "reviewer_id": [ids[3], "none", "Any"],
        "reviewer_username": [names[3], "None", "Any", "nobody"],
        "merge_user_id": [ids[4], 999_999],
        "merge_user_username": [names[4], "nobody"],
        "labels": ["bug", "bug,feature", "docs", "Docs", "None", "any", "unknown"],
        "milestone": ["v1", "None", "Any", "unknown"],
        "my_reaction_emoji": ["thumbsup", "None", "Any"],
        "search": ["cache", "CACHE login", '"fix api"', "50%", "snake_case", "x1", "zzz"],
        "source_branch": ["topic-7", "none"],
        "target_branch": ["main", "release/1.0"],
        "wip": ["yes", "no"],
        "created_after": times,
        "created_before": times,
        "updated_after": times,
        "updated_before": times,
        "environment": ["staging", "production", "nowhere"],
        "deployed_after": [merged.isoformat()],
        "deployed_before": [merged.isoformat()],
        "approved_by_ids": [[ids[0]], [ids[0], ids[1]], "None", "Any"],
        "approved_by_usernames": [[names[0]], [names[0], names[1]]],
        "not[labels]": ["bug", "bug,Docs", "unknown"],
        "not[milestone]": ["v1"],
        "not[author_id]": [ids[0]],
        "not[author_username]": [names[0]],
        "not[assignee_id]": [ids[0]],
        "not[assignee_username]": [names[0]],
        "not[reviewer_id]": [ids[0]],
        "not[reviewer_username]": [names[0]],
        "not[my_reaction_emoji]": ["rocket"],
    }


EXCLUSIVE = [
    {"author_id", "author_username"},
    {"reviewer_id", "reviewer_username"},
    {"merge_user_id", "merge_user_username"},
    {"approved_by_ids", "approved_by_usernames"},
    {"not[author_id]", "not[author_username]"},
    {"not[assignee_id]", "not[assignee_username]"},
    {"not[reviewer_id]", "not[reviewer_username]"},
]
