"""One protected branch or pattern of a project or group: who may push, merge and unprotect."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote

from starlette.responses import Response

from ingot.access.policy import ADMIN_PROJECT, OWN_GROUP
from ingot.web.call import PageCall, View
from ingot.web.guards import InGroup, InProject
from ingot.web.pages import group_settings, project_settings
from ingot.web.registry import Pages
from ingot.web.sections import Frame
from ingot.web.sending import done, refused, text
from ingot.web.shared_sections import BRANCH_LEVELS
from ingot.web.typed_names import find_holder

project = Pages("project")
group = Pages("group")
PATH = "settings/repository/branches/{name}"
KINDS = {"push": "Who can push", "merge": "Who can merge", "unprotect": "Who can change or remove this protection"}
SWITCHES = ("allow_force_push", "code_owner_approval_required")


@dataclass(frozen=True, slots=True)
class BranchPages:
    """The pages in one kind of place."""

    base: str  # the endpoints of the place
    frame: Frame

    @property
    def address(self) -> str:
        """The endpoint of one branch."""
        return f"{self.base}/protected_branches/:name"

    def show_branch(self, call: PageCall) -> View:
        """The rules and their forms."""
        return self._show(call)

    def save_switches(self, call: PageCall) -> View | Response:
        """What holds for everybody who may push or merge."""
        return self._change(call, **{name: name in call.values for name in SWITCHES})

    def add_grant(self, call: PageCall) -> View | Response:
        """Give a role, or a person or group of the project, one of the rights."""
        kind, who = _kind(call), text(call, "who")

        def work() -> object:
            entry = find_holder(call, who) if who else {"access_level": text(call, "access_level")}
            return call.ask(self.address, "PATCH", name=call.path["name"], **{f"allowed_to_{kind}": [entry]})

        return self._unless_refused(call, work)

    def remove_grant(self, call: PageCall) -> View | Response:
        """Take a right away."""
        entry = {"id": call.path["number"], "_destroy": True}
        return self._change(call, **{f"allowed_to_{_kind(call)}": [entry]})

    def unprotect(self, call: PageCall) -> View | Response:
        """Lift the protection."""
        view = refused(
            lambda: call.ask(self.address, "DELETE", name=call.path["name"]),
            lambda problem, status: self._show(call, problem, status),
        )
        return view or done(call, f"{call.own_root}/settings/repository#protected_branches", "Protection removed.")

    def _change(self, call: PageCall, **values: object) -> View | Response:
        return self._unless_refused(call, lambda: call.ask(self.address, "PATCH", name=call.path["name"], **values))

    def _unless_refused(self, call: PageCall, work: Callable[[], object]) -> View | Response:
        view = refused(work, lambda problem, status: self._show(call, problem, status))
        return view or done(call, _here(call), "Rules saved.")

    def _show(self, call: PageCall, problem: str = "", status: int = 200) -> View:
        record = call.ask(self.address, name=call.path["name"])
        return self.frame(
            call, "protected_branch", "settings", status, branch=record, problem=problem, here=_here(call),
            kinds=KINDS, levels=BRANCH_LEVELS, sent=call.values if problem else {},
            may_change=not record["inherited"] and call.may("PATCH", self.address, name=call.path["name"]),
        )  # fmt: skip


def _kind(call: PageCall) -> str:
    kind = text(call, "kind")
    return kind if kind in KINDS else "push"


def _here(call: PageCall) -> str:
    return f"{call.own_root}/settings/repository/branches/{quote(call.path['name'], safe='')}"


def _declare(pages: Pages, forms: BranchPages, guard: InProject | InGroup) -> None:
    pages.get(PATH, guard=guard)(forms.show_branch)
    pages.post(f"{PATH}/switches", guard=guard)(forms.save_switches)
    pages.post(f"{PATH}/rules", guard=guard)(forms.add_grant)
    pages.post(f"{PATH}/rules/{{number:int}}/remove", guard=guard)(forms.remove_grant)
    pages.post(f"{PATH}/remove", guard=guard)(forms.unprotect)


OF_PROJECT, OF_GROUP = InProject(ADMIN_PROJECT, needs_user=True), InGroup(OWN_GROUP, needs_user=True)
_declare(project, BranchPages("/projects/:id", project_settings.settings_view), OF_PROJECT)
_declare(group, BranchPages("/groups/:id", group_settings.settings_view), OF_GROUP)
