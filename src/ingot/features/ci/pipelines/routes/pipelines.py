"""Endpoints of pipelines."""

from sqlalchemy import update

from ingot.access.call import Call
from ingot.features.ci.engine import (
    CREATE_PIPELINE,
    DELETE_PIPELINE,
    READ_PIPELINES,
    UPDATE_PIPELINE,
    PipelineOptions,
    PipelineRefused,
    cancel_pipeline,
    create_pipeline,
    find_ref,
    given_to_pipeline,
    is_ambiguous,
    may_cancel,
    may_change,
    pipelines,
    retry_pipeline,
)
from ingot.features.ci.job_outputs import delete_pipeline
from ingot.features.ci.pipelines import policy, queries
from ingot.features.ci.pipelines.entities import test_report as test_reports
from ingot.features.ci.pipelines.entities.pipeline import Pipeline, PipelineListed, present_listed, present_pipelines
from ingot.features.ci.pipelines.params import (
    CreatePipeline,
    LatestPipeline,
    ListPipelines,
    PipelineMetadata,
    PipelinePath,
    given_variables,
)
from ingot.features.ci.pipelines.rows import WholePipelineRow
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.spaces.projects import repository_of
from ingot.kit.clock import now
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity
from ingot.kit.errors import Forbidden

routes = Routes("Pipelines")


class PipelineVariable(Entity):
    """A variable that a pipeline was started with."""

    key: str
    value: str
    variable_type: str
    raw: bool


def _one(call: Call, pipeline_id: int) -> Pipeline:
    row = queries.get_pipeline(call.conn, call.project.id, pipeline_id)
    return present_pipelines(call.conn, [row], call.base_url)[0]


def _changeable(call: Call[PipelinePath]) -> WholePipelineRow:
    """The pipeline of the path, which the caller may change."""
    row = queries.get_pipeline(call.conn, call.project.id, call.params.pipeline_id)
    if not may_change(load_protection(call.conn, call.actor, call.project), row):
        raise Forbidden
    return row


@routes.get(
    "/projects/{id}/pipelines",
    guard=READ_PIPELINES,
    params=ListPipelines,
    returns=list[PipelineListed],
    job_token=True,
    errors=(405,),
)
def list_pipelines(call: Call[ListPipelines]) -> Answer:
    """Pipelines of a project, newest first. Child pipelines are listed with `source=parent_pipeline` only."""
    statement = queries.pipelines_in(call.project, call.params)
    return call.page(statement, present_listed, keyset=queries.pipeline_keyset(call.params))


@routes.post("/projects/{id}/pipeline", guard=CREATE_PIPELINE, params=CreatePipeline, returns=Pipeline)
def create_new_pipeline(call: Call[CreatePipeline]) -> Answer:
    """Run a pipeline for a branch or tag. `[skip ci]` in the commit message is ignored."""
    repository = repository_of(call.services, call.project)
    ref = find_ref(repository, call.params.ref)
    if ref is None:
        raise PipelineRefused("Reference not found")
    if is_ambiguous(repository, call.params.ref):
        raise PipelineRefused("Ref is ambiguous")
    options = PipelineOptions(
        source="web" if call.of_page else "api",
        ref=ref,
        variables=given_variables(call.params.variables),
        inputs=call.params.inputs or {},
    )
    created = create_pipeline(call.services, call.actor, call.project, options)
    return _one(call, created)


@routes.get(
    "/projects/{id}/pipelines/latest", guard=READ_PIPELINES, params=LatestPipeline, returns=Pipeline, waits=True,
    job_token=True,
)  # fmt: skip
def get_latest_pipeline(call: Call[LatestPipeline]) -> Answer:
    """The newest pipeline of the newest commit of a branch or tag."""
    name = call.params.ref or call.project.default_branch or ""
    ref = find_ref(repository_of(call.services, call.project), name)
    row = None if ref is None else queries.latest_pipeline(call.conn, call.project.id, ref.name, ref.sha)
    if row is None:
        # spec: no pipeline is 403 here, not 404
        raise Forbidden
    return present_pipelines(call.conn, [row], call.base_url)[0]


@routes.get(
    "/projects/{id}/pipelines/{pipeline_id}",
    guard=READ_PIPELINES,
    params=PipelinePath,
    returns=Pipeline,
    job_token=True,
)
def get_pipeline(call: Call[PipelinePath]) -> Answer:
    """One pipeline."""
    return _one(call, call.params.pipeline_id)


@routes.get(
    "/projects/{id}/pipelines/{pipeline_id}/variables",
    guard=READ_PIPELINES,
    params=PipelinePath,
    returns=list[PipelineVariable],
)
def list_pipeline_variables(call: Call[PipelinePath]) -> Answer:
    """The variables that a pipeline was started with; for maintainers and the user who started it."""
    row = queries.get_pipeline(call.conn, call.project.id, call.params.pipeline_id)
    if not policy.may_read_variables(call.actor, call.project, row):
        raise Forbidden
    return [
        PipelineVariable(key=one.key, value=one.value, variable_type=one.variable_type, raw=one.raw)
        for one in given_to_pipeline(call.services, call.conn, row.id)
    ]


@routes.get(
    "/projects/{id}/pipelines/{pipeline_id}/test_report",
    guard=READ_PIPELINES,
    params=PipelinePath,
    returns=test_reports.TestReport,
)
def get_pipeline_test_report(call: Call[PipelinePath]) -> Answer:
    """Every test case of the pipeline's JUnit reports."""
    row = queries.get_pipeline(call.conn, call.project.id, call.params.pipeline_id)
    return test_reports.report_of(call.conn, call.actor, call.project, row.id)


@routes.get(
    "/projects/{id}/pipelines/{pipeline_id}/test_report_summary",
    guard=READ_PIPELINES,
    params=PipelinePath,
    returns=test_reports.TestReportSummary,
)
def get_pipeline_test_report_summary(call: Call[PipelinePath]) -> Answer:
    """Totals of the pipeline's JUnit reports."""
    row = queries.get_pipeline(call.conn, call.project.id, call.params.pipeline_id)
    return test_reports.summary_of(call.conn, call.actor, call.project, row.id)


@routes.put(
    "/projects/{id}/pipelines/{pipeline_id}/metadata",
    guard=UPDATE_PIPELINE,
    params=PipelineMetadata,
    returns=Pipeline,
    job_token=True,
)
def update_pipeline_metadata(call: Call[PipelineMetadata]) -> Answer:
    """Change the name of a pipeline."""
    row = _changeable(call)
    with call.write() as tx:
        tx.execute(
            update(pipelines).where(pipelines.c.id == row.id).values(name=call.params.name or None, updated_at=now())
        )
    return _one(call, row.id)


@routes.post(
    "/projects/{id}/pipelines/{pipeline_id}/retry", guard=UPDATE_PIPELINE, params=PipelinePath, returns=Pipeline
)
def retry_whole_pipeline(call: Call[PipelinePath]) -> Answer:
    """Run the failed and cancelled jobs again and reopen the skipped ones."""
    row = _changeable(call)
    with call.write() as tx:
        retry_pipeline(tx, call.services, row.id, call.actor)
    return _one(call, row.id)


@routes.post(
    "/projects/{id}/pipelines/{pipeline_id}/cancel",
    guard=UPDATE_PIPELINE,
    params=PipelinePath,
    returns=Pipeline,
    status=200,
)
def cancel_whole_pipeline(call: Call[PipelinePath]) -> Answer:
    """Cancel every job that has not ended, in child pipelines too."""
    row = _changeable(call)
    if not may_cancel(call.actor, call.project):
        raise Forbidden
    with call.write() as tx:
        cancel_pipeline(tx, call.services, row.id)
    return _one(call, row.id)


@routes.delete("/projects/{id}/pipelines/{pipeline_id}", guard=DELETE_PIPELINE, params=PipelinePath)
def delete_whole_pipeline(call: Call[PipelinePath]) -> None:
    """Delete a pipeline with its jobs, logs and artifacts."""
    row = queries.get_pipeline(call.conn, call.project.id, call.params.pipeline_id)
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        delete_pipeline(tx, row.id)
