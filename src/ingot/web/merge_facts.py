"""What the merge box tells besides its reasons: approvals by rule, and what merging will do."""

from collections.abc import Callable, Sequence

import msgspec

from ingot.web.answers import ApprovalState, MergeRequest
from ingot.web.call import PageCall
from ingot.web.frames import framed_project
from ingot.web.merge_steps import REQUEST

METHODS = {
    "merge": "adds a merge commit to {}", "rebase_merge": "adds a merge commit to {}, with a semi-linear history",
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
            "Any eligible user" if rule["rule_type"] == "any_approver" else rule["name"], rule["approvals_required"],
            [person["name"] for person in rule["approved_by"]],
            [person["name"] for person in rule["eligible_approvers"]],
        )
        for rule in (state["rules"] if state else [])
        if rule["approvals_required"]
    ]  # fmt: skip


def merge_result(call: PageCall, request: MergeRequest) -> str:
    """What the button does, in words, whether or not the commits are squashed first."""
    words = METHODS.get(framed_project(call).get("merge_method") or "merge", METHODS["merge"])
    said = words.format(request["target_branch"])
    return f"{said[:1].upper()}{said[1:]}."


def squash_result(call: PageCall, count_commits: Callable[[], int | None]) -> str:
    """What squashing makes of the commits, and with which message; nothing where the project never squashes."""
    project = framed_project(call)
    option = project.get("squash_option")
    if option == "never":
        return ""
    count = count_commits()
    commits = {None: "the commits are squashed into one", 1: "the only commit is rewritten"}.get(
        count, f"the {count} commits are squashed into one"
    )
    has_template = bool(project.get("squash_commit_template"))
    default = "the project's squash commit template" if has_template else "the title of this merge request"
    beginning = "This project always squashes:" if option == "always" else "When selected,"
    return f"{beginning} {commits}, with your message below or, by default, {default}."
