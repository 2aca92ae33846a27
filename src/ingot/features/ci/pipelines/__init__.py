"""Pipelines and jobs: made from configuration, moved by runners and people, followed by merge requests."""

from ingot.features.ci.pipelines.artifact_types import ACCESSIBILITY, DEFAULT_FILE_NAMES, DOWNLOADABLE, FORMATS
from ingot.features.ci.pipelines.commands.compiling import config_text, event_for
from ingot.features.ci.pipelines.commands.create import check_rights, create_pipeline, is_protected
from ingot.features.ci.pipelines.commands.deploying import environment_facts, remember_url
from ingot.features.ci.pipelines.commands.erase import delete_objects, remove_artifacts
from ingot.features.ci.pipelines.commands.finish import finish_job
from ingot.features.ci.pipelines.commands.moving import JOB_COLUMNS, get_job, get_plan, lock_pipeline, move
from ingot.features.ci.pipelines.commands.options import PipelineOptions, Ref, Upstream, find_ref
from ingot.features.ci.pipelines.commands.play import is_playable, play_job
from ingot.features.ci.pipelines.commands.progress import advance
from ingot.features.ci.pipelines.commands.resources import HOLDING, PROCESS_MODES, ensure_group
from ingot.features.ci.pipelines.commits import CommitRecord, read, record_of, stored
from ingot.features.ci.pipelines.commits import facts as commit_facts
from ingot.features.ci.pipelines.composition import JobState, composite_status
from ingot.features.ci.pipelines.coverage import extract_coverage
from ingot.features.ci.pipelines.entities import Job, Pipeline, PipelineBasic, present_basic, present_jobs
from ingot.features.ci.pipelines.entities.job import JobBasic
from ingot.features.ci.pipelines.entities.machine import MACHINES, RunnerManager, machine
from ingot.features.ci.pipelines.entities.pipeline import LISTED_COLUMNS
from ingot.features.ci.pipelines.errors import PipelineRefused
from ingot.features.ci.pipelines.facts import project_facts, server_facts, user_facts
from ingot.features.ci.pipelines.facts_of_requests import merge_request_facts
from ingot.features.ci.pipelines.job_payload import (
    Assignment,
    Dependency,
    GitFacts,
    QueueFacts,
    job_response,
    required_features,
)
from ingot.features.ci.pipelines.job_tokens import find_job_by_token, fresh_job_token, resolve_job_token
from ingot.features.ci.pipelines.merge_request_pipelines import (
    create_merge_request_pipeline,
    head_pipeline_ids,
    pipelines_by_id,
    pipelines_of_merge_request,
    short_pipelines_by_id,
)
from ingot.features.ci.pipelines.outdated_deployments import OUTDATED, is_outdated
from ingot.features.ci.pipelines.parent_artifacts import BlobRange
from ingot.features.ci.pipelines.people import actor_by_id, project_as
from ingot.features.ci.pipelines.pinned_refs import has_own_ref, pin
from ingot.features.ci.pipelines.plans import read_plan, stored_plan
from ingot.features.ci.pipelines.policy import (
    ADMIN_CI,
    CREATE_PIPELINE,
    CREATE_SCHEDULE,
    READ_JOBS,
    READ_PIPELINES,
    UPDATE_JOBS,
    has_artifact_level,
    may_change,
    may_read_builds,
    may_run_for,
)
from ingot.features.ci.pipelines.predefined import (
    EnvironmentFacts,
    JobFacts,
    PipelineFacts,
    RunnerFacts,
    job_variables,
    pipeline_variables,
)
from ingot.features.ci.pipelines.queries import get_job as get_project_job
from ingot.features.ci.pipelines.queue_watch import LOOK_EVERY, QueueState, QueueWatch, queue_state
from ingot.features.ci.pipelines.read_options import read_job
from ingot.features.ci.pipelines.reports import has_security_reports
from ingot.features.ci.pipelines.runner_response import JobResponse
from ingot.features.ci.pipelines.runner_states import ONLINE, STALE, runner_status
from ingot.features.ci.pipelines.states import COMPLETED, EXECUTING, FAILURE_REASONS, STATUSES, IllegalMove, moved
from ingot.features.ci.pipelines.surroundings import TRIGGER_PREFIX, short_token, surroundings_of
from ingot.features.ci.pipelines.tables import (
    ci_variables,
    job_artifacts,
    job_tags,
    job_traces,
    pipeline_schedule_variables,
    pipeline_schedules,
    pipeline_triggers,
    pipelines,
    resource_groups,
    runner_groups,
    runner_managers,
    runner_projects,
    runners,
)
from ingot.features.ci.pipelines.tables import jobs as ci_jobs
from ingot.features.ci.pipelines.test_reports import forget_reports, read_junit, record_junit
from ingot.features.ci.pipelines.traces import (
    RangeMismatch,
    append,
    archive,
    chunks,
    erase,
    find_trace,
    note_short,
    trace_size,
    update_interval,
)
from ingot.features.ci.pipelines.variable_sources import (
    CiVariable,
    as_scope,
    from_dotenv,
    from_plan,
    is_maskable,
    layered,
)
from ingot.features.ci.pipelines.variables_from_outside import (
    GivenVariable,
    given_to_pipeline,
    outside_variables,
    read_given,
)
from ingot.features.ci.pipelines.written_options import written_plan

__all__ = [
    "ACCESSIBILITY",
    "ADMIN_CI",
    "COMPLETED",
    "CREATE_PIPELINE",
    "CREATE_SCHEDULE",
    "DEFAULT_FILE_NAMES",
    "DOWNLOADABLE",
    "EXECUTING",
    "FAILURE_REASONS",
    "FORMATS",
    "HOLDING",
    "JOB_COLUMNS",
    "LISTED_COLUMNS",
    "LOOK_EVERY",
    "MACHINES",
    "ONLINE",
    "OUTDATED",
    "PROCESS_MODES",
    "READ_JOBS",
    "READ_PIPELINES",
    "STALE",
    "STATUSES",
    "TRIGGER_PREFIX",
    "UPDATE_JOBS",
    "Assignment",
    "BlobRange",
    "CiVariable",
    "CommitRecord",
    "Dependency",
    "EnvironmentFacts",
    "GitFacts",
    "GivenVariable",
    "IllegalMove",
    "Job",
    "JobBasic",
    "JobFacts",
    "JobResponse",
    "JobState",
    "Pipeline",
    "PipelineBasic",
    "PipelineFacts",
    "PipelineOptions",
    "PipelineRefused",
    "QueueFacts",
    "QueueState",
    "QueueWatch",
    "RangeMismatch",
    "Ref",
    "RunnerFacts",
    "RunnerManager",
    "Upstream",
    "actor_by_id",
    "advance",
    "append",
    "archive",
    "as_scope",
    "check_rights",
    "chunks",
    "ci_jobs",
    "ci_variables",
    "commit_facts",
    "composite_status",
    "config_text",
    "create_merge_request_pipeline",
    "create_pipeline",
    "delete_objects",
    "ensure_group",
    "environment_facts",
    "erase",
    "event_for",
    "extract_coverage",
    "find_job_by_token",
    "find_ref",
    "find_trace",
    "finish_job",
    "forget_reports",
    "fresh_job_token",
    "from_dotenv",
    "from_plan",
    "get_job",
    "get_plan",
    "get_project_job",
    "given_to_pipeline",
    "has_artifact_level",
    "has_own_ref",
    "has_security_reports",
    "head_pipeline_ids",
    "is_maskable",
    "is_outdated",
    "is_playable",
    "is_protected",
    "job_artifacts",
    "job_response",
    "job_tags",
    "job_traces",
    "job_variables",
    "layered",
    "lock_pipeline",
    "machine",
    "may_change",
    "may_read_builds",
    "may_run_for",
    "merge_request_facts",
    "move",
    "moved",
    "note_short",
    "outside_variables",
    "pin",
    "pipeline_schedule_variables",
    "pipeline_schedules",
    "pipeline_triggers",
    "pipeline_variables",
    "pipelines",
    "pipelines_by_id",
    "pipelines_of_merge_request",
    "play_job",
    "present_basic",
    "present_jobs",
    "project_as",
    "project_facts",
    "queue_state",
    "read",
    "read_given",
    "read_job",
    "read_junit",
    "read_plan",
    "record_junit",
    "record_of",
    "remember_url",
    "remove_artifacts",
    "required_features",
    "resolve_job_token",
    "resource_groups",
    "runner_groups",
    "runner_managers",
    "runner_projects",
    "runner_status",
    "runners",
    "server_facts",
    "short_pipelines_by_id",
    "short_token",
    "stored",
    "stored_plan",
    "surroundings_of",
    "trace_size",
    "update_interval",
    "user_facts",
    "written_plan",
]  # fmt: skip
