"""What the merge box tells besides its reasons: approvals by rule, and what merging will do."""

from collections.abc import Callable, Sequence

import msgspec

from ingot.web.answers import ApprovalState, MergeRequest
from ingot.web.call import PageCall
from ingot.web.frames import framed_project
from ingot.web.merge_steps import REQUEST

METHODS = {
    "merge": "adds a merge commit to {}", "rebase_merge": "adds a merge commit to {}, which stays a line of merges",
    "ff": "fast-forwards {}",
}  # fmt: skip


class RuleLine(msgspec.Struct, frozen=True):
    """An approval rule that asks for somebody."""

    name: str
    required: int
    approved_by: Sequence[str]  # names
    eligible: Sequence[str]


def approval_rules(call: PageCall, request: MergeRequest) -> list[RuleLine]:
    """The rules of an open request; none where the instance has no rules."""
    if request["state"] != "opened" or not call.services.settings.has_tier("premium"):
        return []
    state: ApprovalState | None = call.ask_or_none(f"{REQUEST}/approval_state", merge_request_iid=request["iid"])
    return [
        RuleLine(
            "Anybody" if rule["rule_type"] == "any_approver" else rule["name"], rule["approvals_required"],
            [person["name"] for person in rule["approved_by"]],
            [person["name"] for person in rule["eligible_approvers"]],
        )
        for rule in (state["rules"] if state else [])
        if rule["approvals_required"]
    ]  # fmt: skip


def merge_result(call: PageCall, request: MergeRequest, count_commits: Callable[[], int | None]) -> str:
    """What the button does, in words."""
    project = framed_project(call)
    words = METHODS.get(project.get("merge_method") or "merge", METHODS["merge"]).format(request["target_branch"])
    commits = count_commits() if request.get("squash_on_merge") else None
    if commits and commits > 1:
        return f"Squashes {commits} commits into one, then {words}."
    return f"{words[:1].upper()}{words[1:]}."
