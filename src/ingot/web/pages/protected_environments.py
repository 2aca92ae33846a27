"""One protected environment of a project, or tier of a group: who may deploy, and who has to approve."""

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
from ingot.web.shared_sections import DEPLOY_LEVELS
from ingot.web.typed_names import find_holder

project = Pages("project")
group = Pages("group")
PATH = "settings/ci_cd/environments/{name}"
KINDS = {"deploy": "deploy_access_levels", "approval": "approval_rules"}


@dataclass(frozen=True, slots=True)
class EnvironmentPages:
    """The pages in one kind of place."""

    base: str  # the endpoints of the place
    frame: Frame

    @property
    def address(self) -> str:
        """The endpoint of one environment."""
        return f"{self.base}/protected_environments/:name"

    def show_rules(self, call: PageCall) -> View:
        """The rules and their forms."""
        return self._show(call)

    def save_count(self, call: PageCall) -> View | Response:
        """How many of those who may deploy have to approve."""
        return self._change(call, required_approval_count=text(call, "required_approval_count") or "0")

    def add_rule(self, call: PageCall) -> View | Response:
        """Add a role, a person or a group to those who may deploy, or who approve."""
        kind, who = text(call, "kind"), text(call, "who")

        def work() -> object:
            level: dict[str, object] = {"access_level": text(call, "access_level")}
            entry = find_holder(call, who) if who else level
            if "group_id" in entry:
                entry["group_inheritance_type"] = 1 if "inherits" in call.values else 0
            if kind == "approval":
                entry["required_approvals"] = text(call, "required_approvals") or "1"
            values = {KINDS.get(kind, KINDS["deploy"]): [entry]}
            return call.ask(self.address, "PUT", name=call.path["name"], **values)

        return self._unless_refused(call, work)

    def remove_rule(self, call: PageCall) -> View | Response:
        """Remove one of them."""
        kind = KINDS.get(text(call, "kind"), KINDS["deploy"])
        return self._change(call, **{kind: [{"id": call.path["number"], "_destroy": True}]})

    def unprotect(self, call: PageCall) -> Response:
        """Lift the protection."""
        call.ask(self.address, "DELETE", name=call.path["name"])
        return done(call, f"{call.own_root}/settings/ci_cd#protected_environments", "Protection removed.")

    def _change(self, call: PageCall, **values: object) -> View | Response:
        return self._unless_refused(call, lambda: call.ask(self.address, "PUT", name=call.path["name"], **values))

    def _unless_refused(self, call: PageCall, work: Callable[[], object]) -> View | Response:
        view = refused(work, lambda problem, status: self._show(call, problem, status))
        return view or done(call, _here(call), "Rules saved.")

    def _show(self, call: PageCall, problem: str = "", status: int = 200) -> View:
        record = call.ask(self.address, name=call.path["name"])
        return self.frame(
            call, "protected_environment", "settings", status, environment=record, problem=problem,
            here=_here(call), levels=DEPLOY_LEVELS,
            may_change=call.may("PUT", self.address, name=call.path["name"]),
        )  # fmt: skip


def _here(call: PageCall) -> str:
    return f"{call.own_root}/settings/ci_cd/environments/{quote(call.path['name'], safe='')}"


def _declare(pages: Pages, forms: EnvironmentPages, guard: InProject | InGroup) -> None:
    pages.get(PATH, guard=guard)(forms.show_rules)
    pages.post(f"{PATH}/count", guard=guard)(forms.save_count)
    pages.post(f"{PATH}/rules", guard=guard)(forms.add_rule)
    pages.post(f"{PATH}/rules/{{number:int}}/remove", guard=guard)(forms.remove_rule)
    pages.post(f"{PATH}/remove", guard=guard)(forms.unprotect)


OF_PROJECT, OF_GROUP = InProject(ADMIN_PROJECT, needs_user=True), InGroup(OWN_GROUP, needs_user=True)
_declare(project, EnvironmentPages("/projects/:id", project_settings.settings_view), OF_PROJECT)
_declare(group, EnvironmentPages("/groups/:id", group_settings.settings_view), OF_GROUP)
