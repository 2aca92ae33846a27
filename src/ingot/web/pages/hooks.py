"""One web hook: its settings and what it was told lately."""

from collections.abc import Mapping, Sequence

from ingot.access.policy import ADMIN_PROJECT, OWN_GROUP
from ingot.web.call import PageCall
from ingot.web.guards import InGroup, InProject
from ingot.web.pages import group_settings, project_settings
from ingot.web.registry import Pages
from ingot.web.sections import Collection, Settings, SettingsPage, Verb, declare
from ingot.web.shared_sections import events, hook_inputs, hook_pairs

project = Pages("project")
group = Pages("group")


def _keys(call: PageCall) -> Mapping[str, object]:
    return {"hook_id": call.path["hook_id"]}


def _with_answers(_: PageCall, rows: Sequence[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """Deliveries; of one that reached nobody the API's word for the answer would sound like a fault of this server."""
    return [
        {**row, "response_status": "none came"} if row["response_status"] == "internal error" else row for row in rows
    ]


def hook_page(place: str) -> SettingsPage:
    """The page of one web hook of a project or group."""
    address = f"{place}/hooks/:hook_id"
    tests = (Verb(name, f"Test: {words}", f"/test/{name}", when=(name, True)) for name, words in events(place).items())
    hook = Settings(
        "hook", "Web hook", address, hook_inputs(place),
        facts=(("Address", "url"), ("State", "alert_status"), ("Disabled until", "disabled_until"),
               ("Created", "created_at")),
        verbs=(*tests,), remove="Delete web hook", sends=True,
    )  # fmt: skip
    deliveries = Collection(
        "deliveries", "Deliveries", f"{address}/events", one="hook_event_id", name="trigger", remove="",
        facts=(("Answer", "response_status"), ("Took", "execution_duration"), ("Sent", "created_at")),
        bodies=(("Request", "request_data"), ("Headers of the request", "request_headers"),
                ("Answer", "response_body"), ("Headers of the answer", "response_headers")),
        verbs=(Verb("resend", "Send again", "/:hook_event_id/resend"),), empty="Nothing was sent in the last days.",
        adds=_with_answers,
    )  # fmt: skip
    return SettingsPage(
        "hooks/{hook_id:int}/edit", "Web hook",
        (hook, hook_pairs(address, "custom_headers", "More headers"),
         hook_pairs(address, "url_variables", "Values in the address"), deliveries),
        keys=_keys, above="hooks", titled_by="url",
    )  # fmt: skip


OF_PROJECT, OF_GROUP = InProject(ADMIN_PROJECT, needs_user=True), InGroup(OWN_GROUP, needs_user=True)
declare(project, hook_page("/projects/:id"), project_settings.settings_view, OF_PROJECT)
declare(group, hook_page("/groups/:id"), group_settings.settings_view, OF_GROUP)
