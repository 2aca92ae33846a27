"""Pages of branches and tags: offset, or keyset by the name of the last one shown."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from ingot.access.call import Call
from ingot.features.code.repository.params.branches import ListBranches, ListTags
from ingot.features.code.repository.params.trees import ListTree
from ingot.kit.errors import ParamError
from ingot.kit.page_links import PageLinks
from ingot.kit.page_pieces import Present, R
from ingot.kit.pagination import Page, per_page_of, present_rows


class Named(Protocol):
    """A branch or a tag."""

    @property
    def name(self) -> str:
        """Its name."""


N = TypeVar("N", bound=Named)


def page_of_names(call: Call[ListBranches | ListTags], rows: Sequence[N], present: Present[Call, N]) -> Page:
    """A page of named items."""
    if call.params.pagination != "keyset":
        return call.page_of_list(rows, present)
    return keyset_page(call, rows, present, [item.name for item in rows])


def keyset_page(
    call: Call[ListBranches | ListTags | ListTree], rows: Sequence[R], present: Present[Call, R], keys: Sequence[str]
) -> Page:
    """The records after the one whose key is `page_token`."""
    start = 0
    token = call.params.page_token
    if token:
        if token not in keys:
            raise ParamError("page_token is invalid")
        start = keys.index(token) + 1
    size = per_page_of(call)
    shown = rows[start : start + size]
    headers = {}
    if len(rows) > start + size:
        url = PageLinks(call, size, page_token=keys[start + size - 1]).url(None)
        headers["Link"] = f'<{url}>; rel="next"'
    return Page(present_rows(call, shown, present), headers)
