"""Why a job failed, in words, and what to do about it."""

FAILURES = {
    "unknown_failure": "The runner did not report a reason. Check the job log, or run the job again.",
    "script_failure": "The script ended with an error. Its last lines are below.",
    "api_failure": "The runner could not reach this server.",
    "stuck_or_timeout_failure": (
        "No runner picked up the job, or the runner stopped responding. Check that a runner is available for this"
        " project."
    ),
    "runner_system_failure": "The runner's system failed. Run the job again.",
    "missing_dependency_failure": "Artifacts of an earlier job no longer exist. Run that job again.",
    "runner_unsupported": "The runner is too old for this job.",
    "stale_schedule": "The delayed job missed its start time. Run it again.",
    "job_execution_timeout": "The job exceeded its time limit. Shorten the job, or raise the limit in the settings.",
    "archived_failure": "The job is too old to run again. Run a new pipeline.",
    "unmet_prerequisites": "Something that the job needs is missing.",
    "scheduler_failure": "This server could not hand the job to a runner. Run it again.",
    "data_integrity_failure": "The data of this job is inconsistent. Run a new pipeline.",
    "forward_deployment_failure": "A newer version is already deployed.",
    "user_blocked": "The user who started the job is blocked. Ask someone else to run a new pipeline.",
    "project_deleted": "The project was being deleted.",
    "ci_quota_exceeded": "The compute minutes of the instance runners are used up.",
    "pipeline_loop_detected": "The pipelines would trigger each other in an endless loop.",
    "no_matching_runner": "No runner matches the job. Check the job's tags and the runners of this project.",
    "trace_size_exceeded": "The log exceeded the size limit. Reduce the output, or write it to an artifact file.",
    "builds_disabled": "Pipelines are turned off in this project.",
    "environment_creation_failure": "The environment name is invalid. Check the variables in it.",
    "deployment_rejected": "The deployment was rejected. See its environment for details.",
    "failed_outdated_deployment_job": "A newer version is already deployed, and older deployments are not allowed.",
    "job_execution_server_timeout": "The job exceeded its time limit, and its runner did not stop it.",
    "stuck_pending_with_matching_runners": (
        "Matching runners did not pick up the job in time. Check that they are running."
    ),
    "stuck_pending_no_matching_runners": "No runner matched the job in time. Check the job's tags and the runners.",
    "no_updates_running": (
        "The runner stopped responding while the job was running. Check the runner, then run the job again."
    ),
    "no_updates_canceling": "The runner stopped responding while the job was being cancelled.",
    "server_timeout_running": "The job exceeded its time limit, and its runner did not stop it.",
    "server_timeout_canceling": "The job could not be cancelled in time.",
    "runner_configuration_error": "The runner is not configured correctly for this job. See the job log for details.",
    "runner_external_dependency_failure": "Something that the runner needs could not be reached. Run the job again.",
    "runner_interrupted": "The runner's machine was stopped. Run the job again.",
    "protected_environment_failure": (
        "The user who started the job does not have permission to deploy to this environment."
    ),
    "insufficient_bridge_permissions": (
        "The user who started the job does not have permission to run pipelines in the downstream project."
    ),
    "downstream_bridge_project_not_found": (
        "The downstream project does not exist, or the user who started the job cannot see it."
    ),
    "invalid_bridge_trigger": "The configuration of the downstream pipeline is invalid.",
    "upstream_bridge_project_not_found": "The upstream project does not exist or is not visible.",
    "insufficient_upstream_permissions": "The user who started the job cannot see the upstream project.",
    "bridge_pipeline_is_child_pipeline": "A child pipeline cannot trigger this pipeline.",
    "downstream_pipeline_creation_failed": "The downstream pipeline could not be created. Check its configuration.",
    "secrets_provider_not_found": "The secrets provider is not configured.",
    "reached_max_descendant_pipelines_depth": "The pipelines are nested too deeply.",
    "ip_restriction_failure": "The runner's IP address is not allowed by the group.",
    "reached_max_pipeline_hierarchy_size": "The pipeline tree has too many downstream pipelines.",
    "reached_downstream_pipeline_trigger_rate_limit": (
        "Too many pipelines were created in a short time. Try again later."
    ),
    "job_router_failure": "This server could not hand the job to a runner. Run it again.",
    "job_token_expired": "The job token expired before the job finished.",
}


def failure_words(reason: str | None) -> str:
    """What happened; other reasons than those above as they are."""
    return FAILURES.get(reason or "", (reason or "").replace("_", " "))
