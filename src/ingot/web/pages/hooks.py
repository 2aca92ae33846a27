"""One webhook: its settings and what it was told lately."""

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
        {**row, "response_status": "no response"} if row["response_status"] == "internal error" else row for row in rows
    ]


def hook_page(place: str) -> SettingsPage:
    """The page of one webhook of a project or group."""
    address = f"{place}/hooks/:hook_id"
    tests = (Verb(name, f"Test: {words}", f"/test/{name}", when=(name, True)) for name, words in events(place).items())
    hook = Settings(
        "hook", "Webhook", address, hook_inputs(place),
        facts=(("URL", "url"), ("State", "alert_status"), ("Disabled until", "disabled_until"),
               ("Created", "created_at")),
        verbs=(*tests,), remove="Delete webhook", sends=True,
    )  # fmt: skip
    deliveries = Collection(
        "deliveries", "Deliveries", f"{address}/events", one="hook_event_id", name="trigger", remove="",
        facts=(("Response", "response_status"), ("Duration", "execution_duration"), ("Sent", "created_at")),
        bodies=(("Request", "request_data"), ("Request headers", "request_headers"),
                ("Response", "response_body"), ("Response headers", "response_headers")),
        verbs=(Verb("resend", "Redeliver", "/:hook_event_id/resend"),), empty="No recent deliveries.",
        adds=_with_answers,
    )  # fmt: skip
    return SettingsPage(
        "hooks/{hook_id:int}/edit", "Webhook",
        (hook, hook_pairs(address, "custom_headers", "Custom headers"),
         hook_pairs(address, "url_variables", "URL variables"), deliveries),
        keys=_keys, above="hooks", titled_by="url",
    )  # fmt: skip


OF_PROJECT, OF_GROUP = InProject(ADMIN_PROJECT, needs_user=True), InGroup(OWN_GROUP, needs_user=True)
declare(project, hook_page("/projects/:id"), project_settings.settings_view, OF_PROJECT)
declare(group, hook_page("/groups/:id"), group_settings.settings_view, OF_GROUP)
