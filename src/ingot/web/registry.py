"""The table of pages: those of the site at fixed addresses, of a group below `/groups/…`, of a project at its path.

pages = Pages("project")

@pages.get("issues/{iid:int}")
def show_issue(call: PageCall) -> View:
    return View("issue", {"issue": call.ask("/projects/:id/issues/:issue_iid", issue_iid=call.path["iid"])})
"""

import importlib
import pkgutil
from collections.abc import Iterator

import msgspec

from ingot.access.policy import ANYONE_MAY_WRITE
from ingot.kit.endpoint import Endpoint, Guard, Routes
from ingot.kit.errors import NotFound
from ingot.kit.routing import Router
from ingot.web import pages as folder
from ingot.web.call import PageCall
from ingot.web.guards import InGroup, InProject

HOME = "home"  # the place itself, with an empty path
# Names inside the table; at the door they are those of people and groups.
INNER = (HOME, "namespace")
# Pages of a project without `/-/` in their address.
SHORT = ("edit", "activity")
LEFT = {"site": "/", "project": "/{project}/-/", "group": "/groups/{group}/-/"}
GUARDS: dict[str, Guard] = {"site": ANYONE_MAY_WRITE, "project": InProject(), "group": InGroup()}


class Pages(Routes):
    """The pages of one module; `place` says what lies left of them."""

    def __init__(self, place: str) -> None:
        super().__init__(place, guard=GUARDS[place])


def _page_of_nothing(place: str) -> Endpoint:
    """What an address that no page has is taken for, once it is known who asks."""
    pages = Pages(place)

    @pages.get("{rest*}")
    def show_nothing(_: PageCall) -> None:
        raise NotFound

    return pages.endpoints[0]


NOTHING = {place: _page_of_nothing(place) for place in GUARDS}


class Place(msgspec.Struct, frozen=True):
    """A page with the values of its address."""

    endpoint: Endpoint
    values: dict[str, str]
    # Where the address may also be that of a project with the name of a page: its home.
    otherwise: "tuple[Endpoint, dict[str, str]] | None" = None

    @property
    def route(self) -> str:
        """The form of its address."""
        return LEFT[self.endpoint.tag] + self.endpoint.path


def all_pages() -> Iterator[Endpoint]:
    """Every page and form that is declared."""
    for module in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}."):
        loaded = importlib.import_module(module.name)
        # A module may have more than one name for the same pages.
        for pages in {id(value): value for value in vars(loaded).values() if isinstance(value, Pages)}.values():
            yield from pages.endpoints


class PageTable:
    """All pages, found by address."""

    def __init__(self) -> None:
        self._routers = {place: Router() for place in GUARDS}
        for endpoint in all_pages():
            self._routers[endpoint.tag].add(endpoint)

    def find(self, method: str, segments: list[str]) -> Place | None:
        """The page at a path, or None; a segment may have slashes of its own, as names of tags do."""
        parts = [part for part in segments if part]
        if not parts:
            return self._match("site", method, [HOME], {})
        site = self._match("site", method, parts, {}) if parts[0] not in INNER else None
        if site is not None:
            return site
        has_dash = "-" in parts[:-1]
        place = parts.index("-") if has_dash else len(parts)
        left, right = parts[:place], parts[place + 1 :] or [HOME]
        if left[:1] == ["groups"]:
            return self._match("group", method, right, {"id": "/".join(left[1:])})
        if len(left) == 1:
            return self._match("site", method, ["namespace", left[0]], {}) if not has_dash else None
        if not has_dash and left[-1:] and left[-1] in SHORT and len(left) > 2:
            short = self._match("project", method, left[-1:], {"id": "/".join(left[:-1])})
            home = self._match("project", "GET", [HOME], {"id": "/".join(left)})
            if short is None or home is None:
                return short
            return msgspec.structs.replace(short, otherwise=(home.endpoint, home.values))
        return self._match("project", method, right, {"id": "/".join(left)})

    def _match(self, place: str, method: str, segments: list[str], values: dict[str, str]) -> Place | None:
        match = self._routers[place].match(segments)
        method = "GET" if method == "HEAD" else method
        if match is None or method not in match.methods:
            return None
        return Place(match.methods[method], {**match.values[method], **values})


def nothing_at(path: str) -> Place:
    """For a path that no page has: the place that it lies in, so that the answer leads back there."""
    left, dash, _ = path.strip("/").partition("/-/")
    if dash and left.startswith("groups/"):
        return Place(NOTHING["group"], {"id": left.removeprefix("groups/")})
    return Place(NOTHING["project"], {"id": left}) if dash and "/" in left else Place(NOTHING["site"], {})
