"""Who can give somebody the right that they lack, for the page that refuses them."""

from typing import Any

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from ingot.access.abilities import Administrator, GroupAbility, ProjectAbility
from ingot.access.levels import MAINTAINER, OWNER, ROLE_NAMES
from ingot.access.subjects import Group, Project
from ingot.kit.errors import ApiError
from ingot.web.call import PageCall
from ingot.web.guards import InGroup, InProject, Proved

MOST = 5


class Givers(msgspec.Struct, frozen=True):
    """People who give roles in a project or group."""

    place: str
    people: list[dict[str, Any]]  # Any: members as the API has them
    members: str  # the address of all


def needed_role(call: PageCall) -> str:
    """A sentence that says which role the page or form is for, and which one the visitor has; maybe empty."""
    guard = call.required
    while isinstance(guard, Proved):
        guard = guard.guard
    rule = guard.rule if isinstance(guard, InProject | InGroup) else guard
    if isinstance(rule, Administrator):
        return "Only administrators can do this."
    if isinstance(rule, ProjectAbility) and call.project_or_none is not None:
        return role_words(call, rule)
    if isinstance(rule, GroupAbility) and call.group_or_none is not None:
        return _role_words(rule.level, call.group, is_allowed=rule.allows(call.actor, call.group))
    return ""


def role_words(call: PageCall, rule: ProjectAbility) -> str:
    """Which role a right on the project needs, and which one the visitor has; empty if it is not for want of one."""
    return _role_words(rule.level, call.project, is_allowed=rule.allows(call.actor, call.project))


def _role_words(level: int, place: Project | Group, *, is_allowed: bool) -> str:
    if is_allowed or place.level >= level or level not in ROLE_NAMES:
        return ""
    own = f"Your role is {ROLE_NAMES[place.level]}" if place.level in ROLE_NAMES else "You are not a member"
    higher = "" if level >= OWNER else " or higher"
    return f"This requires the {ROLE_NAMES[level]} role{higher} in {place.full_path}. {own}."


def find_givers(call: PageCall) -> Givers | None:
    """Those that the visitor may see; the page of a fault does without them where they cannot be asked for."""
    project, group = call.project_or_none, call.group_or_none
    if call.session is None or (project is None and group is None):
        return None
    kind, level = ("projects", MAINTAINER) if project is not None else ("groups", OWNER)
    path = project.full_path if project is not None else f"groups/{call.group.full_path}"
    try:
        rows = call.ask_or_none(f"/{kind}/:id/members/all", per_page="100") or []
    except (ApiError, SQLAlchemyError):
        return None
    able = [row for row in rows if row["access_level"] >= level and row["state"] == "active"]
    able.sort(key=lambda row: -row["access_level"])
    members = f"/{path}/-/{kind.removesuffix('s')}_members"
    return Givers(path.removeprefix("groups/"), able[:MOST], members) if able else None
