"""Endpoints of the pipelines of merge requests."""

from starlette.responses import Response

from ingot.access.call import Call
from ingot.features.ci.engine import CREATE_PIPELINE, may_read_builds
from ingot.features.ci.pipelines.entities.pipeline import Pipeline, PipelineBasic, present_basic
from ingot.features.ci.pipelines.merge_request_pipelines import (
    create_merge_request_pipeline,
    pipelines_by_id,
    pipelines_of_merge_request,
)
from ingot.features.review.merge_requests import FIND_MERGE_REQUEST, OneMergeRequest, find_then_authorize
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Forbidden, MethodNotAllowed
from ingot.kit.jobs import enqueue
from ingot.kit.params import Paging, Param

routes = Routes("Merge requests")
PATH = "/projects/{id}/merge_requests/{merge_request_iid}/pipelines"


class ListPipelinesOf(OneMergeRequest, Paging):
    """A page of a request's pipelines."""


class RunPipeline(OneMergeRequest):
    """Running a pipeline for a request."""

    async_: bool = Param("Answer immediately and create the pipeline in the background.", default=False, wire="async")


@routes.get(PATH, guard=FIND_MERGE_REQUEST, params=ListPipelinesOf, returns=list[PipelineBasic])
def list_merge_request_pipelines(call: Call[ListPipelinesOf]) -> Answer:
    """Pipelines of a merge request, newest first."""
    row = find_then_authorize(call)
    if not may_read_builds(call.actor, call.project):
        raise Forbidden
    return call.page(pipelines_of_merge_request(call, row), present_basic)


@routes.post(
    PATH, guard=CREATE_PIPELINE, params=RunPipeline, returns=Pipeline, status=200, also={202: None}, errors=(405,)
)
def run_merge_request_pipeline(call: Call[RunPipeline]) -> Answer:
    """Run a pipeline for the head of a merge request; a faulty configuration makes a failed one with `yaml_errors`."""
    row = find_then_authorize(call)
    if call.params.async_:
        with call.write() as tx:
            args = {"merge_request_id": row.id, "user_id": call.actor.id}
            enqueue(tx, "pipelines.create_for_merge_request", args=args)
        return Response(status_code=202)
    created = create_merge_request_pipeline(call.services, row, call.actor, saves_failures=True)
    if created is None:
        raise MethodNotAllowed
    return pipelines_by_id(call.conn, [created], call.base_url)[created]
