"""Members of projects and groups: the list, and the forms that add, change and remove."""

from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from ingot.access.levels import DEVELOPER
from ingot.access.policy import READ_GROUP, READ_PROJECT
from ingot.features.people.members import fixed_members, groups_above, reaches, source_of
from ingot.kit.errors import ApiError
from ingot.web.call import PageCall, View
from ingot.web.filters import LEVELS
from ingot.web.frames import group_view, project_view
from ingot.web.guards import InGroup, InProject
from ingot.web.refusal_words import said_of_form
from ingot.web.refusals import about_field, refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import REFUSALS, done, number_in, text

project = Pages("project")
group = Pages("group")
IMPORT = "/projects/:id/import_project_members/:project_id"


@dataclass(frozen=True, slots=True)
class MemberPages:
    """The pages of members in one kind of place."""

    place: str  # project | group
    path: str

    @property
    def base(self) -> str:
        """The endpoints of the place."""
        return f"/{self.place}s/:id"

    def declare(self, pages: Pages) -> None:
        """Register the list and its forms."""
        is_project = self.place == "project"
        guard = InProject(READ_PROJECT, needs_user=True) if is_project else InGroup(READ_GROUP, needs_user=True)
        pages.get(self.path)(self.list_members)
        pages.post(self.path, guard=guard)(self.add_member)
        pages.post(f"{self.path}/revoke", guard=guard)(self.revoke_invitation)
        pages.post(f"{self.path}/invitation", guard=guard)(self.change_invitation)
        pages.post(f"{self.path}/leave", guard=guard)(self.leave)
        pages.post(f"{self.path}/share", guard=guard)(self.share)
        pages.post(f"{self.path}/unshare", guard=guard)(self.unshare)
        if is_project:
            pages.post(f"{self.path}/import", guard=guard)(self.import_members)
        pages.post(f"{self.path}/{{number:int}}/change", guard=guard)(self.change_member)
        pages.post(f"{self.path}/{{number:int}}/remove", guard=guard)(self.remove_member)
        pages.post(f"{self.path}/{{number:int}}/approve", guard=guard)(self.approve_request)
        pages.post(f"{self.path}/{{number:int}}/deny", guard=guard)(self.deny_request)

    def list_members(self, call: PageCall) -> View:
        """Members, also those of the groups above."""
        return self._show(call)

    def add_member(self, call: PageCall) -> View | Response:
        """Add somebody by user name, or invite an address."""
        who, expires = text(call, "who"), text(call, "expires_at") or None
        given = {name: value for name, value in _chosen_role(call).items() if value}
        if "@" in who.strip("@"):
            return self._change(
                call, "Invitation sent.", "POST", "/invitations", email=who, expires_at=expires, **given
            )
        return self._change(
            call, "Member added.", "POST", "/members", username=who.strip("@"), expires_at=expires, **given
        )

    def change_member(self, call: PageCall) -> View | Response:
        """Change a role, or until when it lasts."""
        role = _chosen_role(call)
        if text(call, "access_level") == text(call, "shown_level"):
            del role["member_role_id"]  # The API keeps the custom role of a level that stays.
        return self._change(
            call, "Role saved.", "PUT", "/members/:user_id", user_id=call.path["number"],
            expires_at=text(call, "expires_at"), **role,
        )  # fmt: skip

    def remove_member(self, call: PageCall) -> View | Response:
        """Remove a member."""
        unassign = "unassign_issuables" in call.values or None
        return self._change(
            call,
            "Member removed.",
            "DELETE",
            "/members/:user_id",
            user_id=call.path["number"],
            unassign_issuables=unassign,
        )

    def approve_request(self, call: PageCall) -> View | Response:
        """Let somebody in who asked."""
        return self._change(
            call, "Access request approved.", "PUT", "/access_requests/:user_id/approve", user_id=call.path["number"],
            access_level=text(call, "access_level") or None,
        )  # fmt: skip

    def deny_request(self, call: PageCall) -> View | Response:
        """Refuse somebody who asked."""
        return self._change(
            call, "Access request denied.", "DELETE", "/access_requests/:user_id", user_id=call.path["number"]
        )

    def change_invitation(self, call: PageCall) -> View | Response:
        """Change what somebody is invited as, or until when."""
        return self._change(
            call, "Invitation changed.", "PUT", "/invitations/:email", email=text(call, "email"),
            access_level=text(call, "access_level"), expires_at=text(call, "expires_at"),
        )  # fmt: skip

    def revoke_invitation(self, call: PageCall) -> View | Response:
        """Take an invitation back."""
        return self._change(call, "Invitation cancelled.", "DELETE", "/invitations/:email", email=text(call, "email"))

    def leave(self, call: PageCall) -> View | Response:
        """Be a member no longer; the visitor may not see the place afterwards."""
        left = self._change(call, "You are no longer a member.", "DELETE", "/members/:user_id", user_id=call.actor.id)
        return (
            left if isinstance(left, View) else done(call, f"/dashboard/{self.place}s", "You are no longer a member.")
        )

    def share(self, call: PageCall) -> View | Response:
        """Give all members of a group a role here."""
        path = text(call, "group").strip("/")
        group = call.ask_or_none("/groups/:id", id=path, with_projects=False) if path else None
        if group is None:
            return self._show(call, f"The group {path} does not exist, or you cannot see it.", 422)
        return self._change(
            call, "Shared with the group.", "POST", "/share", group_id=group["id"],
            group_access=text(call, "access_level"), expires_at=text(call, "expires_at") or None,
        )  # fmt: skip

    def unshare(self, call: PageCall) -> View | Response:
        """Take it back."""
        return self._change(call, "No longer shared.", "DELETE", "/share/:group_id", group_id=text(call, "group_id"))

    def import_members(self, call: PageCall) -> View | Response:
        """Add the direct members of another project, with the roles that they have there."""
        path = text(call, "project").strip("/")
        source = call.ask_or_none("/projects/:id", id=path) if path else None
        if source is None:
            return self._show(call, f"The project {path} does not exist, or you cannot see it.", 422)
        return self._change(
            call, "Members added.", "POST", "/import_project_members/:project_id", project_id=source["id"]
        )

    def _show(self, call: PageCall, problem: str = "", status: int = 200) -> View:
        search = text(call, "search")
        can_manage = call.may("POST", f"{self.base}/members")
        waiting = call.ask_or_none(f"{self.base}/access_requests") if can_manage else None
        invited = call.ask_or_none(f"{self.base}/invitations") if can_manage else None
        rows = call.ask_rows(f"{self.base}/members/all", query=search or None)
        direct = self._direct(call, [row["id"] for row in rows.items])
        own_levels = {number: row["access_level"] for number, row in direct.items()}
        fixed = fixed_members(call.conn, source_of(call), own_levels) if direct and call.session is not None else set()
        record = call.ask(self.base) if self.place == "project" else call.ask(self.base, with_projects=False)
        subject = call.project if self.place == "project" else call.group
        view = project_view if self.place == "project" else group_view
        inherited = {row["id"]: row["access_level"] for row in rows.items
                     if row["access_level"] != own_levels.get(row["id"])}  # fmt: skip
        return view(
            call, "members", "members", status, search=search, problem=problem, can_manage=can_manage,
            rows=rows, above=groups_above(call.conn, source_of(call), list(inherited)),
            direct=direct, can_leave=call.actor.user_id in direct.keys() - fixed,
            changeable={number for number, level in own_levels.items() if can_manage and number not in fixed
                        and reaches(call.actor, subject.level, level)},
            addable={number for number, level in inherited.items() if can_manage and number not in direct
                     and reaches(call.actor, subject.level, level)},
            shares=record.get("shared_with_groups") or [], can_share=call.may("POST", f"{self.base}/share"),
            can_import=self.place == "project" and call.may("POST", IMPORT, project_id=call.project.id),
            waiting=waiting or [], invited=invited or [], levels=_levels(self.place), here=_here(call, self.path),
            typed=_typed(call, problem),
            custom_roles=_custom_roles(call, subject.full_path) if can_manage and call.session is not None else [],
        )  # fmt: skip

    # Any: records of the API.
    def _direct(self, call: PageCall, listed: list[int]) -> dict[int, Any]:
        """The memberships of this very place, by user: those of the people in the list are among them."""
        address = f"{self.base}/members"
        rows = call.ask_or_none(address, per_page="100") or []
        if len(rows) == 100:
            rows += call.ask_or_none(address, user_ids=listed, per_page="100") or []
        return {row["id"]: row for row in rows}

    def _change(self, call: PageCall, words: str, method: str, address: str, **values: object) -> View | Response:
        try:
            result = call.ask(f"{self.base}{address}", method, **values)
        except ApiError as error:
            if error.status not in (*REFUSALS, 403, 404):
                raise
            return self._show(call, refusal_of(error), error.status)
        # Invitations answer what went wrong with each address, and success.
        if isinstance(result, dict) and result.get("status") == "error":
            return self._show(call, _message(result), 400)
        return done(call, _here(call, self.path), words)


def _levels(place: str) -> list[tuple[int, str]]:
    return [(number, word) for number, word in LEVELS.items() if number != 5 or place == "group"]


# Any: records of the API.
def _custom_roles(call: PageCall, path: str) -> list[Any]:
    """The custom roles of the topmost group, for those who may see them: it has them for all places below."""
    return call.ask_or_none("/groups/:id/member_roles", id=path.partition("/")[0]) or []


def _chosen_role(call: PageCall) -> dict[str, str]:
    """The role of a form: a level, or `level-number` for a custom role with that level."""
    level, _, number = text(call, "access_level").partition("-")
    return {"access_level": level, "member_role_id": number}


def _typed(call: PageCall, problem: str) -> dict[str, object]:
    """What the form that adds a member holds: as it was sent, where that was refused."""
    if not problem or "who" not in call.values:
        return {"who": "", "expires_at": "", "level": DEVELOPER}
    level = number_in(text(call, "access_level")) or DEVELOPER
    return {"who": text(call, "who"), "expires_at": text(call, "expires_at"), "level": level}


def _message(result: dict[str, object]) -> str:
    """What is wrong with an invitation, or with each of several addresses."""
    message = result.get("message")
    if not isinstance(message, dict):
        return str(message)
    of_form = said_of_form(str(next(iter(message.values())))) if len(message) == 1 else None
    return about_field(*of_form) if of_form else "; ".join(f"{name}: {said}" for name, said in message.items())


def _here(call: PageCall, path: str) -> str:
    return f"{call.own_root}/{path}"


MemberPages("project", "project_members").declare(project)
MemberPages("group", "group_members").declare(group)
