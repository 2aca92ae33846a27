"""Statuses of jobs and pipelines, failure reasons, and the moves that jobs may make."""

from __future__ import annotations

STATUSES = (
    "created", "waiting_for_resource", "preparing", "waiting_for_callback", "pending", "running", "success", "failed",
    "canceling", "canceled", "skipped", "manual", "scheduled",
)  # fmt: skip
COMPLETED = frozenset(("success", "failed", "canceled", "skipped"))
EXECUTING = frozenset(("running", "canceling"))
"""Statuses in which the job's token is valid."""
WAITING = frozenset(("created", "waiting_for_resource", "preparing", "waiting_for_callback", "pending"))
CANCELABLE = WAITING | {"running", "manual", "scheduled"}
RETRYABLE = frozenset(("success", "failed", "canceled"))
ALIVE = WAITING | {"running", "canceling"}

# spec: commit statuses and runner updates refuse every move that is not listed here
MOVES: dict[str, tuple[frozenset[str], str]] = {
    "enqueue": (frozenset(STATUSES) - COMPLETED - {"pending", "running", "canceling"} | {"skipped"}, "pending"),
    "run": (frozenset(("pending",)), "running"),
    "skip": (WAITING, "skipped"),
    "success": (WAITING | {"running"}, "success"),
    "drop": (WAITING | {"running", "manual", "scheduled"}, "failed"),
    "cancel": (CANCELABLE | {"canceling"}, "canceled"),
    "actionize": (frozenset(("created",)), "manual"),
    "schedule": (frozenset(("created",)), "scheduled"),
}

FAILURE_REASONS = (
    "unknown_failure", "script_failure", "api_failure", "stuck_or_timeout_failure", "runner_system_failure",
    "missing_dependency_failure", "runner_unsupported", "stale_schedule", "job_execution_timeout", "archived_failure",
    "unmet_prerequisites", "scheduler_failure", "data_integrity_failure", "forward_deployment_failure", "user_blocked",
    "project_deleted", "ci_quota_exceeded", "pipeline_loop_detected", "no_matching_runner", "trace_size_exceeded",
    "builds_disabled", "environment_creation_failure", "deployment_rejected", "failed_outdated_deployment_job",
    "job_execution_server_timeout", "stuck_pending_with_matching_runners", "stuck_pending_no_matching_runners",
    "no_updates_running", "no_updates_canceling", "server_timeout_running", "server_timeout_canceling",
    "runner_configuration_error", "runner_external_dependency_failure", "runner_interrupted",
    "protected_environment_failure", "insufficient_bridge_permissions", "downstream_bridge_project_not_found",
    "invalid_bridge_trigger", "upstream_bridge_project_not_found", "insufficient_upstream_permissions",
    "bridge_pipeline_is_child_pipeline", "downstream_pipeline_creation_failed", "secrets_provider_not_found",
    "reached_max_descendant_pipelines_depth", "ip_restriction_failure", "reached_max_pipeline_hierarchy_size",
    "reached_downstream_pipeline_trigger_rate_limit", "job_router_failure", "job_token_expired",
)  # fmt: skip

RUNNER_FAILURE_REASONS = (
    "script_failure", "runner_system_failure", "job_execution_timeout", "unknown_failure", "api_failure",
    "runner_unsupported", "runner_configuration_error", "runner_external_dependency_failure", "runner_interrupted",
)  # fmt: skip
"""Those a runner may report; others are mapped down by the runner itself."""


class IllegalMove(ValueError):
    """The job's status does not allow this transition."""

    def __init__(self, event: str, status: str) -> None:
        super().__init__(
            f'Cannot transition status via :{event} from :{status} (Reason(s): Status cannot transition via "{event}")'
        )
        self.event = event
        self.status = status


def moved(status: str, event: str) -> str:
    """The status after the event; raises `IllegalMove` when there is none."""
    sources, target = MOVES[event]
    if status not in sources:
        raise IllegalMove(event, status)
    return target
