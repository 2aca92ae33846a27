"""Rights that an endpoint's guard leaves to its handler, because they depend on the record: asked of the same policies.

A control is shown only where the endpoint would take it.
"""

from collections.abc import Callable, Mapping

from ingot.access.call import Call
from ingot.features.ci.deployments import get_environment
from ingot.features.ci.engine import (
    awaits_approval,
    is_forbidden,
    is_outdated,
    may_cancel,
    may_change,
    may_erase,
)
from ingot.features.ci.job_outputs import is_erasable
from ingot.features.ci.pipelines import find_pipeline, find_project_job
from ingot.features.ci.protected_environments import may_deploy
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
PIPELINE = "/projects/{id}/pipelines/{pipeline_id}"
ENVIRONMENT = "/projects/{id}/environments/{environment_id}"
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


def _may_run_job(call: Call, path: Mapping[str, str]) -> bool:
    """Nor does its environment keep them out, or have something newer."""
    row = find_project_job(call.conn, call.project.id, int(path["job_id"]))
    if row is None or not may_change(load_protection(call.conn, call.actor, call.project), row):
        return False
    return not is_outdated(call.conn, row) and not is_forbidden(call.conn, row, call.actor.user_id)


def _may_play_job(call: Call, path: Mapping[str, str]) -> bool:
    """As `_may_run_job`; one that deploys may have to be approved first."""
    row = find_project_job(call.conn, call.project.id, int(path["job_id"]))
    is_held = row is not None and row.status == "manual" and awaits_approval(call.conn, row)
    return not is_held and _may_run_job(call, path)


def _may_change_environment(call: Call, path: Mapping[str, str]) -> bool:
    row = get_environment(call.conn, call.project.id, int(path["environment_id"]))
    return may_deploy(call.conn, call.project.id, row.name, call.actor.user_id)


def _may_cancel_job(call: Call, path: Mapping[str, str]) -> bool:
    return may_cancel(call.actor, call.project) and _may_change_job(call, path)


def _may_change_pipeline(call: Call, path: Mapping[str, str]) -> bool:
    row = find_pipeline(call.conn, call.project.id, int(path["pipeline_id"]))
    return row is not None and may_change(load_protection(call.conn, call.actor, call.project), row)


def _may_cancel_pipeline(call: Call, path: Mapping[str, str]) -> bool:
    return may_cancel(call.actor, call.project) and _may_change_pipeline(call, path)


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
    ("POST", "/projects/{id}/jobs/{job_id}/retry"): _may_run_job,
    ("POST", "/projects/{id}/jobs/{job_id}/play"): _may_play_job,
    ("POST", "/projects/{id}/jobs/{job_id}/artifacts/keep"): _may_change_job,
    ("POST", "/projects/{id}/jobs/{job_id}/cancel"): _may_cancel_job,
    ("POST", "/projects/{id}/jobs/{job_id}/erase"): _may_erase_job,
    ("POST", f"{PIPELINE}/retry"): _may_change_pipeline,
    ("POST", f"{PIPELINE}/cancel"): _may_cancel_pipeline,
    ("PUT", ENVIRONMENT): _may_change_environment,
    ("DELETE", ENVIRONMENT): _may_change_environment,
    ("POST", f"{ENVIRONMENT}/stop"): _may_change_environment,
    ("PUT", "/projects/{id}/issues/{issue_iid}"): lambda call, path: may_update_issue(call, int(path["issue_iid"])),
}
