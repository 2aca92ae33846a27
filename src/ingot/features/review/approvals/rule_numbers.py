"""`approval_rules_attributes`: needed approvals of single rules, in the update of the request itself (paid tiers)."""

from sqlalchemy import Connection

from ingot.access.call import Call
from ingot.features.review.approvals import rule_commands
from ingot.features.review.approvals.before_merge import may_edit_rules
from ingot.features.review.approvals.rule_commands import REQUEST
from ingot.features.review.approvals.state import request_rules
from ingot.features.review.merge_requests import MergeRequestRow, on_update
from ingot.kit.errors import RecordNotFound


@on_update
def update_rule_numbers(call: Call, tx: Connection, row: MergeRequestRow, given: dict[str, object]) -> None:
    """Change the rules that were named; without the right to edit rules nothing happens, as with other attributes."""
    overrides = given.get("approval_rules_attributes")
    if (
        not isinstance(overrides, list)
        or not call.services.settings.has_tier("premium")
        or not may_edit_rules(call, row)
    ):
        return
    rules = {rule.row.id: rule.row for rule in request_rules(tx, [row.id]).get(row.id, []) if not rule.is_code_owner}
    # The caller of a new request knows only the ids of the project's rules.
    sources = {rule.source_rule_id: rule for rule in rules.values() if rule.source_rule_id is not None}
    is_new = "merge_request_iid" not in call.params.fields
    for attributes in overrides:
        rule = sources.get(attributes.id) if is_new else rules.get(attributes.id)
        if rule is None and is_new:
            continue  # the request exists already, so errors are ignored
        if rule is None:
            raise RecordNotFound
        values = {"approvals_required": attributes.approvals_required, "is_modified": True}
        rule_commands.update_rule(tx, REQUEST, rule, values, None, None)
