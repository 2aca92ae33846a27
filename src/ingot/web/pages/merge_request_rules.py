"""The approval rules of one merge request, where its project lets requests have rules of their own."""

from collections.abc import Mapping

from ingot.access.policy import READ_MERGE_REQUESTS
from ingot.web.call import PageCall, View
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.merge_steps import REQUEST
from ingot.web.registry import Pages
from ingot.web.sections import Collection, SettingsPage, declare
from ingot.web.shared_sections import APPROVERS

pages = Pages("project")
RULES = Collection(
    "rules", "Approval rules", f"{REQUEST}/approval_rules", one="approval_rule_id", name="name", add="Add rule",
    about="How many approvals this merge request needs. Changes to project rules apply only to this merge request.",
    facts=(("Approvals", "approvals_required"), ("Users", "users"), ("Groups", "groups"), ("Type", "rule_type")),
    inputs=APPROVERS, edits=APPROVERS, empty="No rules.",
    allows=lambda _, record, __: record["rule_type"] != "code_owner",
)  # fmt: skip


def _keys(call: PageCall) -> Mapping[str, object]:
    return {"merge_request_iid": call.path["iid"]}


def _view(call: PageCall, template: str, tab: str, status: int = 200, /, **data: object) -> View:
    iid = call.path["iid"]
    links = [(f"Back to !{iid}", f"/{call.project.full_path}/-/merge_requests/{iid}")]
    return project_view(call, template, tab, status, page_links=links, **data)


declare(
    pages,
    SettingsPage(
        "merge_requests/{iid:int}/approval_rules", "Approval rules", (RULES,), tab="merge_requests", keys=_keys
    ),
    _view,
    InProject(READ_MERGE_REQUESTS, needs_user=True),
)
