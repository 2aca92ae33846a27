"""Creates a pipeline: permission, configuration and limits are checked, then all rows are written at once."""

from datetime import timedelta
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select

from ingot.access.levels import DEVELOPER, MAINTAINER, OWNER, Feature
from ingot.access.subjects import Project
from ingot.features.ci.config import ConfigInvalid, PipelineNotCreated, PipelinePlan
from ingot.features.ci.engine import commits
from ingot.features.ci.engine.commands import storing
from ingot.features.ci.engine.commands.compiling import compile_options
from ingot.features.ci.engine.commands.options import PipelineOptions
from ingot.features.ci.engine.errors import PipelineRefused
from ingot.features.ci.engine.policy import CREATE_PIPELINE, may_run_for
from ingot.features.ci.engine.states import ALIVE
from ingot.features.ci.engine.tables import ci_jobs, pipelines
from ingot.features.code.protected_branches import Protection
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.code.pushing import current_note, may_follow
from ingot.features.instance.plan_limits import limit_of
from ingot.features.spaces.projects import project_settings, repository_of
from ingot.gitstore.objects import get_commit
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.services import Services

_NO_JOBS = PipelinePlan(stages=(), jobs=())
_OVERRIDE_ROLES = {"developer": DEVELOPER, "maintainer": MAINTAINER, "owner": OWNER}


def create_pipeline(services: Services, actor: Actor, project: Project, options: PipelineOptions) -> int:
    """Create the pipeline and start its first jobs; returns its id. Raises `PipelineRefused` with the reason."""
    with services.db.read() as conn:
        protection = load_protection(conn, actor, project)
        check_rights(actor, project, options, protection)
        draft = _draft(services, conn, actor, project, options, is_protected(protection, options))
    with services.db.write() as tx:
        if _is_repetition(tx, project.id, options):
            raise PipelineRefused("The pipeline of this push was made already")
        return storing.store(tx, services, draft)


def _is_repetition(tx: Connection, project_id: int, options: PipelineOptions) -> bool:
    """Another process creates or created the pipeline for the announced push."""
    if not may_follow(tx):
        return True
    note = current_note()
    if note is None or not note.is_repeated or options.source not in ("push", "merge_request_event"):
        return False
    same = select(pipelines.c.id).where(
        pipelines.c.project_id == project_id,
        pipelines.c.ref == options.ref.name,
        pipelines.c.sha == options.ref.sha,
        pipelines.c.source == options.source,
        pipelines.c.created_at >= note.noted_at,
    )
    return tx.execute(same.limit(1)).first() is not None


def is_protected(protection: Protection, options: PipelineOptions) -> bool:
    """The pipeline may use protected variables and runners."""
    if options.is_child and options.upstream is not None:
        # Not by its ref: that of a merge request from a fork may look like a protected branch.
        return bool(options.upstream.pipeline.is_protected)
    request = options.merge_request
    if request is not None:
        return request.source_project.id == request.target_project.id and request.source_is_protected
    if options.ref.is_tag:
        return protection.is_protected_tag(options.ref.name)
    return protection.is_protected(options.ref.name)


def check_rights(actor: Actor, project: Project, options: PipelineOptions, protection: Protection) -> None:
    """Raise `PipelineRefused` unless the actor may run this pipeline."""
    if project.feature("builds") is Feature.DISABLED:
        raise PipelineRefused("Pipelines are disabled!")
    if not CREATE_PIPELINE.allows(actor, project):
        raise PipelineRefused("Insufficient permissions to create a new pipeline")
    name = options.ref.name if options.merge_request is None else options.merge_request.source_branch
    asks_for_ref = not _is_foreign(options) and (not options.is_child or is_protected(protection, options))
    if asks_for_ref and not may_run_for(protection, name, is_tag=options.ref.is_tag):
        raise PipelineRefused(f"Insufficient permissions for protected ref '{name}'")
    given_by_hand = options.variables and options.source not in ("schedule", "parent_pipeline", "push")
    if given_by_hand and not may_give_variables(actor, project):
        raise PipelineRefused("Insufficient permissions to set pipeline variables")


def may_give_variables(actor: Actor, project: Project) -> bool:
    """The project may leave variables of pipelines to some roles, or to nobody."""
    settings = project_settings(project)
    if not settings.restrict_user_defined_variables or actor.is_admin:
        return True
    needed = _OVERRIDE_ROLES.get(settings.ci_pipeline_variables_minimum_override_role)
    return needed is not None and project.level >= needed


def _is_foreign(options: PipelineOptions) -> bool:
    request = options.merge_request
    return request is not None and request.source_project.id != request.target_project.id


def _draft(
    services: Services, conn: Connection, actor: Actor, project: Project, options: PipelineOptions, protected: bool
) -> storing.Draft:
    commit = commits.record_of(get_commit(repository_of(services, project), options.ref.sha))
    draft = storing.Draft(
        actor=actor, project=project, options=options, plan=_NO_JOBS, commit=commit, protected=protected
    )
    if options.skip:
        draft.status = "skipped"
        return draft
    try:
        draft.plan, draft.iid = compile_options(services, conn, actor, project, options, protected)
        _check_size(conn, draft.plan)
        _check_texts(draft.plan)
    except ConfigInvalid as error:
        if not options.saves_failures:
            raise PipelineRefused(error.errors[0]) from error
        draft.fail("config_error", ", ".join(error.errors))
    except PipelineNotCreated as error:
        raise PipelineRefused(str(error)) from error
    except PipelineRefused as error:
        if not (options.saves_failures and error.reason):
            raise
        draft.fail(error.reason, error.sentence if error.reason == "config_error" else None)
    if draft.plan.jobs and _active_jobs_exceeded(conn, project.id, len(draft.plan.jobs)):
        draft.fail("job_activity_limit_exceeded")
    return draft


def _check_size(conn: Connection, plan: PipelinePlan) -> None:
    limit = limit_of(conn, "ci_pipeline_size")
    over = len(plan.jobs) - limit
    if limit > 0 and over > 0:
        noun = "job" if over == 1 else "jobs"
        raise PipelineRefused(f"Pipeline size limit exceeded by {over} {noun}!", "size_limit_exceeded")


def _check_texts(plan: PipelinePlan) -> None:
    """Refuse characters that databases cannot store."""
    if b"\\u0000" in msgspec.json.encode(plan):
        raise PipelineRefused("The configuration contains a NUL character", "config_error")


def _active_jobs_exceeded(conn: Connection, project_id: int, more: int) -> bool:
    limit = limit_of(conn, "ci_active_jobs")
    if limit <= 0:
        return False
    counted: Any = (
        select(func.count())
        .select_from(ci_jobs)
        .join(pipelines, pipelines.c.id == ci_jobs.c.pipeline_id)
        .where(
            pipelines.c.project_id == project_id,
            pipelines.c.status.in_(ALIVE),
            pipelines.c.created_at > now() - timedelta(days=1),
            ci_jobs.c.is_retried.is_(False),
        )
    )
    return int(conn.execute(counted).scalar_one()) + more > limit
