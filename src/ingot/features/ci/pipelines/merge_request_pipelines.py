"""Pipelines of merge requests, and the pipeline that stands for a request's head.

The tables of merge requests are imported where they are used: that feature builds on this one.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, or_, select, update

from ingot.access.call import Call
from ingot.access.subjects import Project, find_project
from ingot.features.ci.engine import (
    CREATE_PIPELINE,
    PipelineOptions,
    PipelineRefused,
    Ref,
    create_pipeline,
    may_read_builds,
    pipelines,
    project_as,
)
from ingot.features.ci.pipelines import queries
from ingot.features.ci.pipelines.entities.pipeline import Pipeline, PipelineBasic, present_pipelines
from ingot.features.ci.pipelines.merge_request_variables import facts_of_merge_request, load_merge_request
from ingot.features.ci.pipelines.rows import HeadPipelineRow, WholePipelineRow
from ingot.features.review.merge_requests import MergeRequestRow, merge_request_diffs, merge_requests
from ingot.features.spaces.projects import project_settings, repository_of
from ingot.gitstore import GitError, refs, revisions
from ingot.kit.actor import Actor
from ingot.kit.entity import group_by
from ingot.kit.services import Services
from ingot.kit.unchanged import Unchanged


def create_merge_request_pipeline(
    services: Services, merge_request: MergeRequestRow, actor: Actor, *, saves_failures: bool = False
) -> int | None:
    """Run a pipeline for the head of a merge request; None when the file has no jobs for merge requests.

    It runs in the target project where the person may do so, else in the fork. Raises nothing but database errors: a
    refusal is the same as no jobs. With `saves_failures` a faulty file leaves a failed pipeline that says why.
    """
    with services.db.read() as conn:
        target = find_project(conn, actor, merge_request.project_id)
        source = (
            find_project(conn, actor, merge_request.source_project_id)
            if merge_request.source_project_id is not None
            else None
        )
        if target is None or source is None or merge_request.head_sha is None:
            return None
        place = _place(services, actor, target, source, merge_request, merge_request.head_sha)
        if place is None:
            return None
        project, ref = place
        options = PipelineOptions(
            source="merge_request_event",
            ref=ref,
            merge_request=facts_of_merge_request(services, conn, actor, merge_request, source, target),
            saves_failures=saves_failures,
        )
    try:
        created = create_pipeline(services, actor, project, options)
    except (PipelineRefused, GitError):
        return None
    note_head_pipeline(services, created)
    return created


def _place(
    services: Services, actor: Actor, target: Project, source: Project, merge_request: MergeRequestRow, head: str
) -> tuple[Project, Ref] | None:
    name = f"refs/merge-requests/{merge_request.iid}/head"
    at_home = source.id == target.id
    is_allowed = at_home or project_settings(target).ci_allow_fork_pipelines_to_run_in_parent_project
    if is_allowed and CREATE_PIPELINE.allows(actor, target):
        repository = repository_of(services, target)
        if refs.find_ref(repository, name) is None and not revisions.has_object(repository, head):
            return None
        return target, Ref(name, head)
    if CREATE_PIPELINE.allows(actor, source):
        return source, Ref(merge_request.source_branch, head)
    return None


def create_for_change(
    services: Services, merge_request_id: int, user_id: int | None, *, saves_failures: bool = False
) -> int | None:
    """A request was opened or pushed to: run its pipeline if its configuration has one."""
    with services.db.read() as conn:
        row = load_merge_request(conn, merge_request_id)
        actor, _ = project_as(conn, user_id, row.project_id if row is not None else 0)
    if row is None or row.state != "opened" or actor.is_anonymous:
        return None
    return create_merge_request_pipeline(services, row, actor, saves_failures=saves_failures)


_PIPELINE = select(pipelines).where(pipelines.c.id == bindparam("pipeline"))
_RUN_FOR_HEAD = update(merge_requests).where(
    merge_requests.c.state == "opened",
    merge_requests.c.head_sha == bindparam("head"),
    or_(
        merge_requests.c.id == bindparam("request"),
        and_(
            merge_requests.c.source_project_id == bindparam("from_project"),
            merge_requests.c.source_branch == bindparam("branch"),
        ),
    ),
)


def note_head_pipeline(services: Services, pipeline_id: int) -> None:
    """Record the pipeline on the open requests whose head it runs for."""
    with services.db.write() as tx:
        row = tx.execute(_PIPELINE, {"pipeline": pipeline_id}).one_or_none()
        if row is None or row.source == "parent_pipeline":
            return
        request = row.merge_request_id or 0
        run = {"head": row.sha, "request": request, "from_project": row.project_id, "branch": row.ref}
        tx.execute(_RUN_FOR_HEAD, {**run, "head_pipeline_id": pipeline_id})


def _of_heads(query: Select[Any]) -> Select[Any]:
    return query.where(
        pipelines.c.project_id.in_(bindparam("places", expanding=True)),
        pipelines.c.sha.in_(bindparam("shas", expanding=True)),
        pipelines.c.source != "parent_pipeline",
    ).order_by(pipelines.c.id)


_OF_HEADS = _of_heads(
    select(
        pipelines.c.id,
        pipelines.c.status,
        pipelines.c.project_id,
        pipelines.c.sha,
        pipelines.c.ref,
        pipelines.c.merge_request_id,
    )
)
_WHOLE_OF_HEADS = _of_heads(queries.whole())


def head_pipelines(conn: Connection, rows: Sequence[MergeRequestRow]) -> dict[int, HeadPipelineRow]:
    """The pipeline for the head of each request. Pipelines created for the request win over others."""
    return _head_pipelines(conn, rows, _OF_HEADS)


def whole_head_pipeline(conn: Connection, row: MergeRequestRow) -> WholePipelineRow | None:
    """The same for one request, with all that is shown of it."""
    return _head_pipelines(conn, [row], _WHOLE_OF_HEADS).get(row.id)


# Any: rows with at least the columns of `HeadPipelineRow`.
def _head_pipelines(conn: Connection, rows: Sequence[MergeRequestRow], statement: Select[Any]) -> dict[int, Any]:
    shas = {row.head_sha for row in rows if row.head_sha is not None}
    places = {place for row in rows for place in (row.project_id, row.source_project_id) if place is not None}
    if not shas:
        return {}
    candidates = group_by(
        conn.execute(statement, {"places": list(places), "shas": list(shas)}), lambda pipeline: pipeline.sha
    )
    result: dict[int, Any] = {}
    for row in rows:
        fitting = [one for one in candidates.get(row.head_sha or "", ()) if _fits(row, one)]
        if fitting:
            result[row.id] = max(fitting, key=lambda one: (one.merge_request_id is not None, one.id))
    return result


def _fits(request: MergeRequestRow, pipeline: HeadPipelineRow) -> bool:
    """A pipeline for the head of the request is one of the request."""
    if pipeline.merge_request_id is not None:
        return bool(pipeline.merge_request_id == request.id)
    return bool(pipeline.project_id == request.source_project_id and pipeline.ref == request.source_branch)


def pipelines_by_id(conn: Connection, ids: Iterable[int], base_url: str) -> dict[int, Pipeline]:
    """Whole pipelines of a page of other records."""
    rows = queries.whole_pipelines(conn, sorted(set(ids)))
    return {shown.id: shown for shown in present_pipelines(conn, rows, base_url)}


def short_form(whole: Pipeline) -> PipelineBasic:
    """The basic form of a whole pipeline."""
    parts = (whole,)
    known = _short_forms.find(whole.id, parts)
    if known is not None:
        return known
    short = PipelineBasic(**{name: getattr(whole, name) for name in PipelineBasic.__struct_fields__})
    return _short_forms.keep(whole.id, parts, short, whole.yaml_errors)


_short_forms: Unchanged[PipelineBasic] = Unchanged(are_parts=True)


def reads_source_builds(call: Call, merge_request: MergeRequestRow) -> bool:
    """Whether the caller may read pipelines of the request's source project, which may be a private fork."""
    if merge_request.source_project_id == merge_request.project_id:
        return may_read_builds(call.actor, call.project)
    source = find_project(call.conn, call.actor, merge_request.source_project_id or 0)
    return source is not None and may_read_builds(call.actor, source)


def is_pipeline_readable(call: Call, merge_request: MergeRequestRow, pipeline: HeadPipelineRow) -> bool:
    """The caller, who may read pipelines of the target project, may read this one of the request."""
    return pipeline.project_id == merge_request.project_id or reads_source_builds(call, merge_request)


def pipelines_of_merge_request(call: Call, merge_request: MergeRequestRow) -> Select[Any]:
    """The pipelines of a request that the caller may read, newest first.

    Those made for the request, and those of its branch for its heads.
    """
    heads = select(merge_request_diffs.c.head_sha).where(merge_request_diffs.c.merge_request_id == merge_request.id)
    of_branch = and_(
        pipelines.c.project_id == merge_request.source_project_id,
        pipelines.c.ref == merge_request.source_branch,
        or_(pipelines.c.sha.in_(heads), pipelines.c.sha == (merge_request.head_sha or "")),
        pipelines.c.source != "parent_pipeline",
        pipelines.c.merge_request_id.is_(None),
    )
    condition = or_(pipelines.c.merge_request_id == merge_request.id, of_branch)
    listed = queries.listed().where(condition).order_by(pipelines.c.id.desc())
    if reads_source_builds(call, merge_request):
        return listed
    return listed.where(pipelines.c.project_id == merge_request.project_id)
