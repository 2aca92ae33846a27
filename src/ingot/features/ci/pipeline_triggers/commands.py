"""Trigger tokens, and the pipelines that they start."""

from collections.abc import Mapping

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from ingot.access.subjects import Project, find_project
from ingot.features.ci.engine import (
    PipelineOptions,
    PipelineRefused,
    Ref,
    Upstream,
    actor_by_id,
    ci_jobs,
    create_pipeline,
    find_ref,
    pipelines,
    resolve_job_token,
)
from ingot.features.ci.pipeline_triggers.params import FireTrigger
from ingot.features.ci.pipeline_triggers.rows import PipelineTriggerRow
from ingot.features.ci.pipeline_triggers.tables import pipeline_triggers
from ingot.features.ci.pipeline_triggers.tokens import TRIGGER_PREFIX, short_token
from ingot.features.ci.variables import GivenVariable
from ingot.features.code.job_token_scope import require_reachable
from ingot.features.spaces.projects import repository_of
from ingot.identity.tokens import digest, fresh
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.errors import NotFound
from ingot.kit.sealing import seal
from ingot.kit.services import Services


def get_trigger(conn: Connection, project_id: int, trigger_id: int) -> PipelineTriggerRow:
    """A trigger token of the project."""
    table = pipeline_triggers
    row = conn.execute(select(table).where(table.c.project_id == project_id, table.c.id == trigger_id)).one_or_none()
    if row is None:
        raise NotFound("Trigger")
    return row


def create(tx: Connection, services: Services, project_id: int, owner_id: int, **values: object) -> int:
    """A new token."""
    clear, moment = fresh(TRIGGER_PREFIX), now()
    created = tx.execute(
        insert(pipeline_triggers)
        .values(
            project_id=project_id,
            owner_id=owner_id,
            token_digest=digest(clear),
            sealed_token=seal(services, clear),
            created_at=moment,
            updated_at=moment,
            **values,
        )
        .returning(pipeline_triggers.c.id)
    ).scalar_one()
    return int(created)


def describe(tx: Connection, trigger_id: int, description: str) -> None:
    """Change the description."""
    tx.execute(
        update(pipeline_triggers)
        .where(pipeline_triggers.c.id == trigger_id)
        .values(description=description, updated_at=now())
    )


def remove(tx: Connection, trigger_id: int) -> None:
    """Delete a token."""
    tx.execute(delete(pipeline_triggers).where(pipeline_triggers.c.id == trigger_id))


def fire(
    services: Services, id_or_path: str, options: FireTrigger, payload: Mapping[str, object]
) -> tuple[Project, int]:
    """Start a pipeline with a trigger or job token; an unknown token answers 404."""
    with services.db.read() as conn:
        trigger = _by_token(conn, options.token)
        if trigger is not None:
            actor = actor_by_id(conn, trigger.owner_id)
            project = find_project(conn, actor, id_or_path)
            if project is None or project.id != trigger.project_id:
                raise NotFound
            created = _start(services, actor, project, options, trigger, None, payload)
        else:
            actor, upstream = _by_job_token(conn, options.token)
            project = find_project(conn, actor, id_or_path)
            if project is None:
                raise NotFound("Project")
            require_reachable(conn, actor, project)
            created = _start(services, actor, project, options, None, upstream, payload)
    if trigger is not None:
        with services.db.write() as tx:
            tx.execute(update(pipeline_triggers).where(pipeline_triggers.c.id == trigger.id).values(last_used_at=now()))
    return project, created


def _by_token(conn: Connection, clear: str) -> PipelineTriggerRow | None:
    row = conn.execute(select(pipeline_triggers).where(pipeline_triggers.c.token_digest == digest(clear))).one_or_none()
    return None if row is None or (row.expires_at is not None and row.expires_at <= now()) else row


def _by_job_token(conn: Connection, clear: str) -> tuple[Actor, Upstream]:
    actor = resolve_job_token(conn, clear)
    if actor is None:
        raise NotFound
    above = conn.execute(
        select(pipelines)
        .join_from(ci_jobs, pipelines, pipelines.c.id == ci_jobs.c.pipeline_id)
        .where(ci_jobs.c.id == (actor.job_id or 0))
    ).one()
    return actor, Upstream(actor.job_id or 0, above)


def _start(
    services: Services,
    actor: Actor,
    project: Project,
    options: FireTrigger,
    trigger: PipelineTriggerRow | None,
    upstream: Upstream | None,
    payload: Mapping[str, object],
) -> int:
    ref: Ref | None = find_ref(repository_of(services, project), options.ref)
    if ref is None:
        raise PipelineRefused("Reference not found")
    given = [GivenVariable(key=key, value=value) for key, value in (options.variables or {}).items()]
    if trigger is not None:
        text = msgspec.json.encode(payload).decode()
        given.append(GivenVariable(key="TRIGGER_PAYLOAD", value=text, variable_type="file"))
    return create_pipeline(
        services,
        actor,
        project,
        PipelineOptions(
            source="trigger" if trigger is not None else "pipeline",
            ref=ref,
            variables=given,
            inputs=options.inputs or {},
            trigger_id=trigger.id if trigger is not None else None,
            trigger_short_token=short_token(options.token) if trigger is not None else None,
            upstream=upstream,
        ),
    )
