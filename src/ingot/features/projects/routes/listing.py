"""Lists of projects."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement

from ingot.access.policy import ANYONE
from ingot.features.projects.entities import ProjectFull, Showing, present_full
from ingot.features.projects.entities.page import present_simple
from ingot.features.projects.params.listing import ListProjects
from ingot.features.projects.queries.listing import keyset_of, listing
from ingot.kit.call import Call
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import BadRequest
from ingot.kit.pagination import Page

routes = Routes("Projects")


@routes.get("/projects", guard=ANYONE, params=ListProjects, returns=list[ProjectFull], errors=(405,))
def list_projects(call: Call) -> Answer:
    """Projects that the caller may see. Without authentication: public ones, in the simple form."""
    wish = call.params
    filters_by_update = wish.updated_after is not None or wish.updated_before is not None
    if filters_by_update and wish.order_by != "updated_at":
        raise BadRequest("`updated_at` filter and `updated_at` sorting must be paired")
    return page_of_projects(call)


def page_of_projects(call: Call, base: ColumnElement[bool] | None = None, permissions: str | None = "list") -> Page:
    """A page in the form that the caller asked for and may have."""
    return call.page(
        listing(call, base),
        lambda call, rows: present(call, rows, permissions),
        keyset=keyset_of(call),
        limited="Project",
    )


def present(call: Call, rows: Sequence[Any], permissions: str | None = "list") -> list[Any]:
    """Rows of a list in the simple or the full form."""
    wish = call.params
    showing = Showing(
        permissions=permissions,
        statistics=bool(wish.statistics),
        custom_attributes=bool(wish.with_custom_attributes),
    )
    if call.actor.is_anonymous or wish.simple:
        return present_simple(call, rows, showing)
    return present_full(call, rows, showing)
