"""Rights that an endpoint's guard leaves to its handler, because they depend on the record: asked of the same policies.

A control is shown only where the endpoint would take it.
"""

from collections.abc import Callable, Mapping

from ingot.access.call import Call
from ingot.features.ci.engine import may_change, may_erase
from ingot.features.ci.job_outputs import is_erasable
from ingot.features.ci.pipelines import find_project_job
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.planning.issues import may_delete_issue, may_update_issue
from ingot.features.review.approvals import may_edit_rules
from ingot.features.review.merge_requests import (
    find_by_iid,
    may_delete_request,
    may_open_request,
    may_rebase,
    may_update,
)

REQUEST = "/projects/{id}/merge_requests/{merge_request_iid}"
# Of the call of the page and the values of the address.
Finer = Callable[[Call, Mapping[str, str]], bool]


def _may_edit_request(call: Call, path: Mapping[str, str]) -> bool:
    row = find_by_iid(call.conn, call.project.id, int(path["merge_request_iid"]))
    return row is not None and may_update(call, row)


def _may_rebase(call: Call, path: Mapping[str, str]) -> bool:
    row = find_by_iid(call.conn, call.project.id, int(path["merge_request_iid"]))
    return row is not None and may_rebase(call, row)


def _may_change_job(call: Call, path: Mapping[str, str]) -> bool:
    row = find_project_job(call.conn, call.project.id, int(path["job_id"]))
    return row is not None and may_change(load_protection(call.conn, call.actor, call.project), row)


def _may_erase_job(call: Call, path: Mapping[str, str]) -> bool:
    row = find_project_job(call.conn, call.project.id, int(path["job_id"]))
    return row is not None and may_erase(call.actor, call.project, row) and is_erasable(call.conn, row)


def _may_edit_rules(call: Call, path: Mapping[str, str]) -> bool:
    row = find_by_iid(call.conn, call.project.id, int(path["merge_request_iid"]))
    return row is not None and may_edit_rules(call, row)


def _may_lift(call: Call, path: Mapping[str, str]) -> bool:
    return load_protection(call.conn, call.actor, call.project).may_unprotect(path["name"])


FINER: dict[tuple[str, str], Finer] = {
    ("POST", "/projects/{id}/merge_requests"): lambda call, _: may_open_request(call.actor, call.project),
    ("PUT", REQUEST): _may_edit_request,
    ("DELETE", REQUEST): lambda call, _: may_delete_request(call.actor, call.project),
    ("DELETE", "/projects/{id}/issues/{issue_iid}"): lambda call, path: may_delete_issue(call, int(path["issue_iid"])),
    ("PUT", f"{REQUEST}/rebase"): _may_rebase,
    ("POST", f"{REQUEST}/approval_rules"): _may_edit_rules,
    ("PUT", f"{REQUEST}/approval_rules/{{approval_rule_id}}"): _may_edit_rules,
    ("DELETE", f"{REQUEST}/approval_rules/{{approval_rule_id}}"): _may_edit_rules,
    ("PATCH", "/projects/{id}/protected_branches/{name}"): _may_lift,
    ("DELETE", "/projects/{id}/protected_branches/{name}"): _may_lift,
    ("POST", "/projects/{id}/jobs/{job_id}/retry"): _may_change_job,
    ("POST", "/projects/{id}/jobs/{job_id}/erase"): _may_erase_job,
    ("PUT", "/projects/{id}/issues/{issue_iid}"): lambda call, path: may_update_issue(call, int(path["issue_iid"])),
}
