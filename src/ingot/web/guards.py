"""Guards of pages: like the API's, but moved records redirect, and a number is not a path."""

from urllib.parse import quote, unquote

import msgspec

from ingot.access import custom_roles
from ingot.access.abilities import GroupAbility, ProjectAbility, remember_project
from ingot.access.policy import ADMINISTRATOR, PUSH_CODE, READ_CODE, READ_GROUP, READ_PROJECT
from ingot.access.subjects import Moved, find_group, find_moved_group, find_moved_project, find_project
from ingot.instance.throttling import limit_endpoint
from ingot.kit.endpoint import Guard
from ingot.kit.errors import NotFound
from ingot.web.call import PageCall

STRANGERS_LIMIT = 60  # pages of one address in a minute
LONGEST_LINE = 300  # characters that the next page says at most


class MovedPlace(Moved):
    """The page of a former path, at its present address; `words` tell the visitor there."""

    def __init__(self, location: str, words: str) -> None:
        super().__init__(location)
        self.words = words


class InProject(msgspec.Struct, frozen=True):
    """Loads the project of the address and asks for a right on it."""

    rule: ProjectAbility = READ_PROJECT
    needs_user: bool = False

    @property
    def ability(self) -> str:
        """The name of the right."""
        return self.rule.ability

    def admit(self, call: PageCall) -> None:
        """Admit the visitor, redirect to the project's current address, or answer 404."""
        path = call.path["id"]
        project = find_project(call.conn, call.actor, path)
        if project is None:
            moved = find_moved_project(call.conn, call.actor, path)
            if moved is None:
                raise NotFound("Project")
            remote = f"git remote set-url origin {call.base_url.rstrip('/')}/{moved.full_path}.git"
            words = f"This project was moved from {path}."
            whole = f"{words} Update your remotes: {remote}"
            address = _address_in(call, f"/{path}", f"/{moved.full_path}")
            raise MovedPlace(address, whole if len(whole) <= LONGEST_LINE else words)
        _require_own_letters(call, f"/{path}", f"/{project.full_path}")
        remember_project(call, project)
        custom_roles.attach(call, project)
        call.project = project
        self.rule.require(call.actor, project)


class InHistory(InProject, frozen=True):
    """As the guard above, for pages that walk a history: strangers may open only so many in a minute.

    There is such a page for every commit and every file, and crawlers open them all. The limit is one of those that
    the instance's rate limits switch on.
    """

    rule: ProjectAbility = READ_CODE

    def admit(self, call: PageCall) -> None:
        """Count what strangers open."""
        super().admit(call)
        if call.actor.is_anonymous:
            limit_endpoint(call, "history_pages", STRANGERS_LIMIT)


class Proved(msgspec.Struct, frozen=True):
    """Admits as the guard inside, and takes forms only from people who lately proved who they are (`web.proving`).

    Whatever opens an account is made, changed and taken away behind it: tokens, keys, passwords, second factors,
    addresses, applications, and all that administrators do. Reading is not held back.
    """

    guard: Guard
    in_form: bool = False  # the form itself asks those who have a password for it
    takes_link: bool = False  # also open to those without a password who came by a sign-in link: it was made for this

    @property
    def needs_user(self) -> bool:
        """Nobody else can prove anything."""
        return True

    @property
    def ability(self) -> str:
        """The name of the right."""
        return self.guard.ability

    def admit(self, call: PageCall) -> None:
        """Admit as the guard inside."""
        self.guard.admit(call)


ADMINISTRATION = Proved(ADMINISTRATOR)


class InGroup(msgspec.Struct, frozen=True):
    """Loads the group of the address and asks for a right on it."""

    rule: GroupAbility = READ_GROUP
    needs_user: bool = False

    @property
    def ability(self) -> str:
        """The name of the right."""
        return self.rule.ability

    def admit(self, call: PageCall) -> None:
        """Admit the visitor, redirect to the group's current address, or answer 404."""
        path = call.path["id"]
        group = None if path.isdigit() else find_group(call.conn, call.actor, path)
        moved = find_moved_group(call.conn, call.actor, path) if group is None and call.is_read else None
        if moved is not None:
            address = _address_in(call, f"/groups/{path}", f"/groups/{moved.full_path}")
            raise MovedPlace(address, f"This group was moved from {path}.")
        if group is None:
            raise NotFound("Group")
        _require_own_letters(call, f"/groups/{path}", f"/groups/{group.full_path}")
        custom_roles.attach(call, group)
        call.group = group
        self.rule.require(call.actor, group)


def _require_own_letters(call: PageCall, typed: str, own: str) -> None:
    """Lead who typed large letters for small ones to the address that pages, caches and bookmarks have in common."""
    if call.is_read and typed != own:
        raise Moved(_address_in(call, typed, own))


def _address_in(call: PageCall, typed: str, present: str) -> str:
    """The same page at the present address of its place; what is encoded right of `/-/` stays so."""
    scope = call.request.scope
    raw = (scope.get("raw_path") or quote(scope["path"]).encode()).partition(b"?")[0].decode("latin-1")
    left, dash, right = raw.partition("/-/")
    inside = "/" + "/".join(part for part in unquote(left).split("/") if part)
    query = f"?{call.request.url.query}" if call.request.url.query else ""
    return f"{present}{inside.removeprefix(typed)}{dash}{right}{query}"


def can_push(call: PageCall) -> bool:
    """The visitor may commit here. Endpoints that commit let all readers in, and then ask for the branch."""
    return PUSH_CODE.allows(call.actor, call.project)
