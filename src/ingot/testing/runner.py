"""A runner that runs nothing: it takes jobs, writes their log and ends them as requested."""

from collections.abc import Callable
from typing import Any

from ingot.testing.talking import call

# What a current runner announces: jobs that need more than a runner can do are not handed out.
FEATURES = (
    "variables", "image", "services", "artifacts", "cache", "shared", "upload_multiple_artifacts",
    "upload_raw_artifacts", "session", "terminal", "refspecs", "masking", "proxy", "raw_variables",
    "artifacts_exclude", "multi_build_steps", "trace_reset", "trace_checksum", "trace_size", "vault_secrets",
    "cancelable", "return_exit_code", "service_variables", "service_multiple_aliases", "image_executor_opts",
    "service_executor_opts", "cancel_gracefully",
)  # fmt: skip


# Any: what the API answers differs from call to call.
def run_jobs(
    url: str,
    call_api: Callable[..., Any],
    project_id: object,
    fail: frozenset[str],
    log: str,
) -> list[dict[str, Any]]:
    """Serve one project until nothing waits; the runner leaves afterwards."""
    options = {"runner_type": "project_type", "project_id": project_id, "run_untagged": True}
    waiting = call_api("GET", f"/projects/{project_id}/jobs?per_page=100")
    tags = sorted({tag for job in waiting for tag in job["tag_list"]})
    created = call_api("POST", "/user/runners", {**options, "tag_list": tags, "description": "tests"})
    info = {"name": "tests", "version": "18.0.0", "executor": "shell", "features": dict.fromkeys(FEATURES, True)}
    ended = []
    try:
        while job := call("POST", f"{url}/api/v4/jobs/request", {}, {"token": created["token"], "info": info}):
            name = job["job_info"]["name"]
            outcome = (
                {"state": "failed", "failure_reason": "script_failure", "exit_code": 1}
                if name in fail
                else {"state": "success"}
            )
            call("PUT", f"{url}/api/v4/jobs/{job['id']}", {}, {"token": job["token"], "trace": log, **outcome})
            ended.append(call_api("GET", f"/projects/{project_id}/jobs/{job['id']}"))
    finally:
        call_api("DELETE", f"/runners/{created['id']}")
    return ended
