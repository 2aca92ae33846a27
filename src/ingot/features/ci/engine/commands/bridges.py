"""Bridges: jobs that trigger a pipeline, child or of another project, and mirror its result where configured."""

from sqlalchemy import Connection, func, or_, select, update

from ingot.access.subjects import Project, find_project
from ingot.features.ci.config import PlannedJob, Trigger
from ingot.features.ci.engine.actors import project_as
from ingot.features.ci.engine.commands import moving, progress
from ingot.features.ci.engine.commands.create import create_pipeline
from ingot.features.ci.engine.commands.finish import finish_job
from ingot.features.ci.engine.commands.forwarding import forwarded
from ingot.features.ci.engine.commands.options import PipelineOptions, Ref, Upstream, find_ref
from ingot.features.ci.engine.commands.retry import reopen_skipped
from ingot.features.ci.engine.errors import PipelineRefused
from ingot.features.ci.engine.given_variables import given_to_pipeline
from ingot.features.ci.engine.policy import CREATE_PIPELINE, may_read_builds
from ingot.features.ci.engine.rows import BridgeRow, JobRow, PipelineRow
from ingot.features.ci.engine.states import COMPLETED
from ingot.features.ci.engine.tables import ci_jobs, pipelines
from ingot.features.ci.variables import GivenVariable
from ingot.features.instance.plan_limits import limit_of
from ingot.features.spaces.projects import repository_of
from ingot.kit.actor import Actor
from ingot.kit.services import Services

MAX_DEPTH = 2


class BridgeFails(Exception):
    """The bridge fails, with this failure reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def start_bridge(services: Services, job_id: int) -> None:
    """Trigger the pipeline of a pending bridge. Safe to repeat: a bridge that has a pipeline is left alone."""
    with services.db.read() as conn:
        job = moving.get_job(conn, job_id)
        plan = moving.get_plan(conn, job_id)
    if job.status not in ("pending", "running") or plan is None or plan.trigger is None:
        return
    with services.db.write() as tx:
        moving.lock_pipeline(tx, job.pipeline_id)
        job = moving.get_job(tx, job_id)
        if job.status == "pending":
            moving.move(tx, job, "running")
            progress.advance(tx, services, job.pipeline_id)
    try:
        if job.downstream_id is None:
            _trigger(services, job, plan, plan.trigger)
    except BridgeFails as failure:
        with services.db.write() as tx:
            finish_job(tx, services, job_id, "failed", failure_reason=failure.reason)
        return
    if plan.trigger.strategy is None and plan.trigger.upstream is None:
        with services.db.write() as tx:
            finish_job(tx, services, job_id, "success")
    else:
        follow_downstream(services, _downstream_of(services, job_id))


def _downstream_of(services: Services, job_id: int) -> int | None:
    with services.db.read() as conn:
        job: int | None = moving.get_job(conn, job_id).downstream_id
    return job


def _trigger(services: Services, job: JobRow, plan: PlannedJob, trigger: Trigger) -> None:
    with services.db.read() as conn:
        above = conn.execute(select(pipelines).where(pipelines.c.id == job.pipeline_id)).one()
        actor, project = project_as(conn, job.user_id, job.project_id)
        if project is None:
            raise BridgeFails("insufficient_bridge_permissions")
        if trigger.upstream is not None:
            _mirror(services, conn, actor, job, trigger.upstream)
            return
        _check_tree(conn, above)
        variables = forwarded(services, conn, project, above, job, plan) if trigger.forward_yaml_variables else []
        if trigger.forward_pipeline_variables:
            variables += given_to_pipeline(services, conn, above.id)
        upstream = Upstream(job.id, above)
        if trigger.is_child:
            target, options = project, _child(above, trigger, variables, upstream)
        else:
            target, options = _elsewhere(services, conn, actor, trigger, variables, upstream)
    try:
        create_pipeline(services, actor, target, options)
    except PipelineRefused as refusal:
        raise BridgeFails("downstream_pipeline_creation_failed") from refusal


def _check_tree(conn: Connection, above: PipelineRow) -> None:
    if above.depth >= MAX_DEPTH:
        raise BridgeFails("reached_max_descendant_pipelines_depth")
    root = above.root_id or above.id
    size = select(func.count()).where(or_(pipelines.c.root_id == root, pipelines.c.id == root))
    limit = limit_of(conn, "pipeline_hierarchy_size")
    if 0 < limit <= int(conn.execute(size).scalar_one()):
        raise BridgeFails("reached_max_pipeline_hierarchy_size")


def _child(above: PipelineRow, trigger: Trigger, variables: list[GivenVariable], upstream: Upstream) -> PipelineOptions:
    return PipelineOptions(
        source="parent_pipeline",
        ref=Ref(above.ref, above.sha, above.is_tag),
        before_sha=above.before_sha,
        variables=variables,
        inputs=trigger.inputs,
        upstream=upstream,
        config=trigger.child_source(),
    )


def _elsewhere(
    services: Services,
    conn: Connection,
    actor: Actor,
    trigger: Trigger,
    variables: list[GivenVariable],
    upstream: Upstream,
) -> tuple[Project, PipelineOptions]:
    target = find_project(conn, actor, trigger.project or "")
    if target is None:
        raise BridgeFails("downstream_bridge_project_not_found")
    if not CREATE_PIPELINE.allows(actor, target):
        raise BridgeFails("insufficient_bridge_permissions")
    ref = find_ref(repository_of(services, target), trigger.branch or target.default_branch or "main")
    if ref is None:
        raise BridgeFails("downstream_pipeline_creation_failed")
    if _loops(conn, target.id, ref.sha, upstream.pipeline):
        raise BridgeFails("pipeline_loop_detected")
    options = PipelineOptions(source="pipeline", ref=ref, variables=variables, inputs=trigger.inputs, upstream=upstream)
    return target, options


def _loops(conn: Connection, project_id: int, sha: str, above: PipelineRow) -> bool:
    """An upstream pipeline already runs the same commit of the same project."""
    at: PipelineRow | None = above
    while at is not None:
        if at.project_id == project_id and at.sha == sha:
            return True
        at = (
            conn.execute(select(pipelines).where(pipelines.c.id == at.parent_id)).one_or_none()
            if at.parent_id is not None
            else None
        )
    return False


def _mirror(services: Services, conn: Connection, actor: Actor, job: JobRow, full_path: str) -> None:
    """`needs:pipeline`: the bridge follows the latest pipeline of another project's default branch."""
    other = find_project(conn, actor, full_path)
    if other is None:
        raise BridgeFails("upstream_bridge_project_not_found")
    if not may_read_builds(actor, other):
        raise BridgeFails("insufficient_upstream_permissions")
    latest = conn.execute(
        select(pipelines.c.id)
        .where(
            pipelines.c.project_id == other.id,
            pipelines.c.ref == (other.default_branch or ""),
            pipelines.c.source != "parent_pipeline",
        )
        .order_by(pipelines.c.id.desc())
        .limit(1)
    ).scalar_one_or_none()
    if latest is None:
        raise BridgeFails("upstream_bridge_project_not_found")
    with services.db.write() as tx:
        tx.execute(update(ci_jobs).where(ci_jobs.c.id == job.id).values(downstream_id=latest))


def follow_downstream(services: Services, pipeline_id: int | None) -> None:
    """Give the result of this pipeline to the bridges that follow it; if it runs again, so do they."""
    if pipeline_id is None:
        return
    with services.db.read() as conn:
        status = conn.execute(select(pipelines.c.status).where(pipelines.c.id == pipeline_id)).scalar_one_or_none()
        bridges = conn.execute(
            select(ci_jobs.c.id, ci_jobs.c.pipeline_id, ci_jobs.c.status).where(
                ci_jobs.c.downstream_id == pipeline_id, ci_jobs.c.is_retried.is_(False), ci_jobs.c.kind == "bridge"
            )
        ).all()
    for bridge in bridges:
        with services.db.write() as tx:
            if _depends(tx, bridge.id):
                _take_over(tx, services, bridge, str(status))


def _depends(tx: Connection, job_id: int) -> bool:
    plan = moving.get_plan(tx, job_id)
    trigger = plan.trigger if plan is not None else None
    return trigger is not None and (trigger.strategy is not None or trigger.upstream is not None)


def _restarted_by(tx: Connection, bridge: JobRow) -> int | None:
    """Who has the pipeline below run again: whose job is its newest; people of another project do not count here."""
    newest = (
        select(ci_jobs.c.user_id)
        .where(ci_jobs.c.pipeline_id == bridge.downstream_id, ci_jobs.c.project_id == bridge.project_id)
        .order_by(ci_jobs.c.id.desc())
        .limit(1)
    )
    row = tx.execute(newest).one_or_none()
    return bridge.user_id if row is None else row.user_id


def _take_over(tx: Connection, services: Services, bridge: BridgeRow, status: str) -> None:
    if status not in COMPLETED:
        if bridge.status in COMPLETED:
            moving.lock_pipeline(tx, bridge.pipeline_id)
            job = moving.get_job(tx, bridge.id)
            moving.move(tx, job, "running", started_at=job.started_at, finished_at=None, failure_reason=None)
            reopen_skipped(tx, job, _restarted_by(tx, job))
            progress.advance(tx, services, bridge.pipeline_id)
        return
    result = {"success": "success", "canceled": "canceled"}.get(status, "failed")
    finish_job(tx, services, bridge.id, result)
