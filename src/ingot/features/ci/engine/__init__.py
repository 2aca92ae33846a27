"""Pipelines and jobs: their tables and states, and every move from creation to the end."""

from ingot.features.ci.engine.actors import actor_by_id, project_as
from ingot.features.ci.engine.commands.cancel import cancel_job, cancel_pipeline
from ingot.features.ci.engine.commands.compiling import config_text, event_for
from ingot.features.ci.engine.commands.create import (
    check_rights,
    create_pipeline,
    is_protected,
    may_give_variables,
)
from ingot.features.ci.engine.commands.deploying import environment_facts, remember_url
from ingot.features.ci.engine.commands.finish import finish_job
from ingot.features.ci.engine.commands.moving import JOB_COLUMNS, get_job, get_plan, lock_pipeline, move
from ingot.features.ci.engine.commands.options import PipelineOptions, Ref, Upstream, find_ref, is_ambiguous
from ingot.features.ci.engine.commands.play import is_playable, play_job
from ingot.features.ci.engine.commands.progress import advance
from ingot.features.ci.engine.commands.resources import HOLDING, PROCESS_MODES, ensure_group, order_in_line
from ingot.features.ci.engine.commands.retry import retry_job, retry_pipeline
from ingot.features.ci.engine.commits import CommitRecord, commit_facts, read_commit, record_of, stored_commit
from ingot.features.ci.engine.composition import JobState, composite_status
from ingot.features.ci.engine.errors import NotErasable, PipelineRefused
from ingot.features.ci.engine.facts import base_url, project_facts, server_facts, user_facts
from ingot.features.ci.engine.fencing import fenced
from ingot.features.ci.engine.given_variables import given_to_pipeline
from ingot.features.ci.engine.job_queue import on_job_queued
from ingot.features.ci.engine.job_tokens import fresh_job_token, resolve_job_token
from ingot.features.ci.engine.outdated_deployments import OUTDATED, is_outdated
from ingot.features.ci.engine.parent_artifacts import artifact_source
from ingot.features.ci.engine.pinned_refs import has_own_ref, pin, unpin_later
from ingot.features.ci.engine.plans import read_plan, stored_plan
from ingot.features.ci.engine.policy import (
    ADMIN_CI,
    CREATE_PIPELINE,
    CREATE_SCHEDULE,
    DELETE_PIPELINE,
    READ_JOBS,
    READ_PIPELINES,
    UPDATE_JOBS,
    UPDATE_PIPELINE,
    may_cancel,
    may_change,
    may_erase,
    may_read_builds,
    may_run_for,
)
from ingot.features.ci.engine.protected_deployments import awaits_approval, is_forbidden, why_refused
from ingot.features.ci.engine.ref_context import open_merge_requests, tag_message
from ingot.features.ci.engine.rows import JobRow, PipelineRow, WholeJobRow
from ingot.features.ci.engine.states import (
    COMPLETED,
    EXECUTING,
    FAILURE_REASONS,
    RUNNER_FAILURE_REASONS,
    STATUSES,
    IllegalMove,
    moved,
)
from ingot.features.ci.engine.tables.job import ci_jobs, job_tags
from ingot.features.ci.engine.tables.pipeline import pipelines
from ingot.features.ci.engine.tables.resource_group import resource_groups

__all__ = [
    "ADMIN_CI",
    "COMPLETED",
    "CREATE_PIPELINE",
    "CREATE_SCHEDULE",
    "DELETE_PIPELINE",
    "EXECUTING",
    "FAILURE_REASONS",
    "HOLDING",
    "JOB_COLUMNS",
    "OUTDATED",
    "PROCESS_MODES",
    "READ_JOBS",
    "READ_PIPELINES",
    "RUNNER_FAILURE_REASONS",
    "STATUSES",
    "UPDATE_JOBS",
    "UPDATE_PIPELINE",
    "CommitRecord",
    "IllegalMove",
    "JobRow",
    "JobState",
    "NotErasable",
    "PipelineOptions",
    "PipelineRefused",
    "PipelineRow",
    "Ref",
    "Upstream",
    "WholeJobRow",
    "actor_by_id",
    "advance",
    "artifact_source",
    "awaits_approval",
    "base_url",
    "cancel_job",
    "cancel_pipeline",
    "check_rights",
    "ci_jobs",
    "commit_facts",
    "composite_status",
    "config_text",
    "create_pipeline",
    "ensure_group",
    "environment_facts",
    "event_for",
    "fenced",
    "find_ref",
    "finish_job",
    "fresh_job_token",
    "get_job",
    "get_plan",
    "given_to_pipeline",
    "has_own_ref",
    "is_ambiguous",
    "is_forbidden",
    "is_outdated",
    "is_playable",
    "is_protected",
    "job_tags",
    "lock_pipeline",
    "may_cancel",
    "may_change",
    "may_erase",
    "may_give_variables",
    "may_read_builds",
    "may_run_for",
    "move",
    "moved",
    "on_job_queued",
    "open_merge_requests",
    "order_in_line",
    "pin",
    "pipelines",
    "play_job",
    "project_as",
    "project_facts",
    "read_commit",
    "read_plan",
    "record_of",
    "remember_url",
    "resolve_job_token",
    "resource_groups",
    "retry_job",
    "retry_pipeline",
    "server_facts",
    "stored_commit",
    "stored_plan",
    "tag_message",
    "unpin_later",
    "user_facts",
    "why_refused",
]
