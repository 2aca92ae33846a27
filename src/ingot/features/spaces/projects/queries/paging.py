"""A page of projects, in the form that the caller asked for and may have."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from ingot.access.call import Call
from ingot.features.spaces.projects.entities import Showing, present_full, present_simple
from ingot.features.spaces.projects.params.listing import ListProjects
from ingot.features.spaces.projects.queries.listing import Base, keyset_of, listing
from ingot.features.spaces.projects.rows import ListedProjectRow
from ingot.kit.pagination import Page


def page_of_projects(call: Call[ListProjects], base: Base | None = None, permissions: str | None = "list") -> Page:
    """A page in the form that the caller asked for and may have."""
    result = listing(call, base)
    return call.page(
        result.rows,
        partial(present, permissions=permissions),
        counted=result.counted,
        keyset=keyset_of(call),
        limited="Project",
        values=result.values,
    )


def present(call: Call[ListProjects], rows: Sequence[ListedProjectRow], permissions: str | None = "list") -> list[Any]:
    """Rows of a list in the simple or the full form."""
    options = call.params
    showing = Showing(
        permissions=permissions,
        statistics=bool(options.statistics),
        custom_attributes=bool(options.with_custom_attributes),
    )
    if call.actor.is_anonymous or options.simple:
        return present_simple(call, rows, showing)
    return present_full(call, rows, showing)
