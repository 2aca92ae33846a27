"""Who can give somebody the right that they lack, for the page that refuses them."""

from typing import Any

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from ingot.access.levels import MAINTAINER, OWNER
from ingot.kit.errors import ApiError
from ingot.web.call import PageCall

MOST = 5


class Givers(msgspec.Struct, frozen=True):
    """People who give roles in a project or group."""

    place: str
    people: list[dict[str, Any]]  # Any: members as the API has them
    members: str  # the address of all


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
