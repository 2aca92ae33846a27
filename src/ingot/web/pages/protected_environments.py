"""One protected environment of a project, or tier of a group: who may deploy, and who has to approve."""

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
        kind, who = text(call, "kind"), text(call, "who").removeprefix("@")
        entry: dict[str, object] = {"access_level": text(call, "access_level")} if not who else {}
        if who:
            users = call.ask("/users", username=who)
            user = users[0] if users else None
            place = None if user else call.ask_or_none("/groups/:id", id=who, with_projects=False)
            if user:
                entry["user_id"] = user["id"]
            elif place:
                entry |= {"group_id": place["id"], "group_inheritance_type": 1 if "inherits" in call.values else 0}
            else:
                return self._show(call, f"There is no user or group “{who}”.", 422)
        if kind == "approval":
            entry["required_approvals"] = text(call, "required_approvals") or "1"
        return self._change(call, **{KINDS.get(kind, KINDS["deploy"]): [entry]})

    def remove_rule(self, call: PageCall) -> View | Response:
        """Remove one of them."""
        kind = KINDS.get(text(call, "kind"), KINDS["deploy"])
        return self._change(call, **{kind: [{"id": call.path["number"], "_destroy": True}]})

    def unprotect(self, call: PageCall) -> Response:
        """Lift the protection."""
        call.ask(self.address, "DELETE", name=call.path["name"])
        return done(call, f"{_root(call)}/settings/ci_cd#protected_environments", "Protection lifted.")

    def _change(self, call: PageCall, **values: object) -> View | Response:
        view = refused(
            lambda: call.ask(self.address, "PUT", name=call.path["name"], **values),
            lambda problem, status: self._show(call, problem, status),
        )
        return view or done(call, f"{_here(call)}", "Rules saved.")

    def _show(self, call: PageCall, problem: str = "", status: int = 200) -> View:
        record = call.ask(self.address, name=call.path["name"])
        return self.frame(
            call, "protected_environment", "settings", status, environment=record, problem=problem,
            here=_here(call), levels=DEPLOY_LEVELS,
            may_change=call.may("PUT", self.address, name=call.path["name"]),
        )  # fmt: skip


def _root(call: PageCall) -> str:
    if call.project_or_none is not None:
        return f"/{call.project.full_path}/-"
    return f"/groups/{call.group.full_path}/-"


def _here(call: PageCall) -> str:
    return f"{_root(call)}/settings/ci_cd/environments/{quote(call.path['name'], safe='')}"


def _declare(pages: Pages, forms: EnvironmentPages, guard: InProject | InGroup) -> None:
    pages.get(PATH, guard=guard)(forms.show_rules)
    pages.post(f"{PATH}/count", guard=guard)(forms.save_count)
    pages.post(f"{PATH}/rules", guard=guard)(forms.add_rule)
    pages.post(f"{PATH}/rules/{{number:int}}/remove", guard=guard)(forms.remove_rule)
    pages.post(f"{PATH}/remove", guard=guard)(forms.unprotect)


OF_PROJECT, OF_GROUP = InProject(ADMIN_PROJECT, needs_user=True), InGroup(OWN_GROUP, needs_user=True)
_declare(project, EnvironmentPages("/projects/:id", project_settings.settings_view), OF_PROJECT)
_declare(group, EnvironmentPages("/groups/:id", group_settings.settings_view), OF_GROUP)
