"""Guards of pages: like the API's, but moved records redirect, and a number is not a path."""

import msgspec

from ingot.access import custom_roles
from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.policy import ADMINISTRATOR, PUSH_CODE, READ_GROUP, READ_PROJECT
from ingot.access.subjects import Moved, find_group, find_moved_project, find_project
from ingot.kit.endpoint import Guard
from ingot.kit.errors import NotFound
from ingot.web.call import PageCall


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
            rest = call.request.url.path.removeprefix(f"/{path}")
            query = f"?{call.request.url.query}" if call.request.url.query else ""
            raise Moved(f"/{moved.full_path}{rest}{query}")
        custom_roles.attach(call, project)
        call.project = project
        self.rule.require(call.actor, project)


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
        """Admit the visitor, or answer 404."""
        path = call.path["id"]
        group = None if path.isdigit() else find_group(call.conn, call.actor, path)
        if group is None:
            raise NotFound("Group")
        custom_roles.attach(call, group)
        call.group = group
        self.rule.require(call.actor, group)


def can_push(call: PageCall) -> bool:
    """The visitor may commit here. Endpoints that commit let all readers in, and then ask for the branch."""
    return PUSH_CODE.allows(call.actor, call.project)
