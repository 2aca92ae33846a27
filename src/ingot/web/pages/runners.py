"""One runner: its settings, machines and jobs, from the project, the group or the administration."""

from collections.abc import Mapping

from ingot.access.policy import ADMIN_PROJECT, OWN_GROUP
from ingot.web.call import PageCall
from ingot.web.guards import ADMINISTRATION, InGroup, InProject
from ingot.web.pages import admin, group_settings, project_settings
from ingot.web.registry import Pages
from ingot.web.sections import Collection, Settings, SettingsPage, Verb, declare
from ingot.web.shared_sections import RUNNER_INPUTS

project = Pages("project")
group = Pages("group")
site = Pages("site")

RUNNER = Settings(
    "runner", "Runner", "/runners/:id", RUNNER_INPUTS,
    facts=(("State", "status"), ("Type", "runner_type"), ("Last contact", "contacted_at"), ("Version", "version"),
           ("Platform", "platform"), ("IP address", "ip_address"), ("Created by", "created_by")),
    verbs=(Verb("pause", "Pause", "", "PUT", {"paused": True}, ("paused", False)),
           Verb("resume", "Resume", "", "PUT", {"paused": False}, ("paused", True)),
           Verb("token", "New token", "/reset_authentication_token", secret="token")),
    remove="Delete runner",
)  # fmt: skip
MANAGERS = Collection(
    "managers", "Machines", "/runners/:id/managers", one="manager_id", name="system_id", remove="",
    facts=(("State", "status"), ("Last contact", "contacted_at"), ("Version", "version"), ("IP address", "ip_address")),
    empty="No runner process has connected yet.",
)  # fmt: skip
JOBS = Collection(
    "jobs", "Jobs", "/runners/:id/jobs", one="job_id", name="name", remove="", empty="No jobs yet.",
    facts=(("State", "status"), ("Project", "project"), ("Branch or tag", "ref"), ("Started", "started_at")),
)  # fmt: skip


def runner_page(path: str, above: str) -> SettingsPage:
    """The page of one runner below a list of runners."""

    def keys(call: PageCall) -> Mapping[str, object]:
        return {"id": call.path["number"]}

    return SettingsPage(
        f"{path}/{{number:int}}", "Runner", (RUNNER, MANAGERS, JOBS), keys=keys, above=above, titled_by="description"
    )


OF_PROJECT, OF_GROUP = InProject(ADMIN_PROJECT, needs_user=True), InGroup(OWN_GROUP, needs_user=True)
declare(project, runner_page("runners", "settings/ci_cd"), project_settings.settings_view, OF_PROJECT)
declare(group, runner_page("runners", "runners"), group_settings.settings_view, OF_GROUP)
declare(site, runner_page("admin/runners", "admin/runners"), admin.admin_view, ADMINISTRATION)
