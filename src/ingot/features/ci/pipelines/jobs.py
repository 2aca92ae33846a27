"""Background work of merge request pipelines."""

from ingot.features.ci.pipelines.merge_request_pipelines import create_for_change
from ingot.kit.jobs import Run, job


@job("pipelines.create_for_merge_request")
def create_merge_request_pipeline(run: Run, merge_request_id: int, user_id: int) -> None:
    """Create a pipeline that was requested asynchronously."""
    run.step("create", lambda: create_for_change(run.services, merge_request_id, user_id, saves_failures=True))
