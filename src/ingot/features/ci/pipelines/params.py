"""Parameters of the endpoints of pipelines and jobs."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ingot.features.ci.engine import STATUSES
from ingot.features.ci.variables import GivenVariable
from ingot.kit.errors import ParamError
from ingot.kit.params import CursorPaging, Param, Params
from ingot.kit.patterns import ALPHANUMERIC, consists_of

SOURCES = (
    "push", "web", "trigger", "schedule", "api", "external", "pipeline", "chat", "webide", "merge_request_event",
    "external_pull_request_event", "parent_pipeline", "ondemand_dast_scan", "ondemand_dast_validation",
    "security_orchestration_policy", "unknown",
)  # fmt: skip


class PipelinePath(Params):
    """One pipeline."""

    pipeline_id: int = Param("The pipeline's id.", required=True)


class JobPath(Params):
    """One job."""

    job_id: int = Param("The job's id.", required=True)


class ListPipelines(CursorPaging):
    """Filters and order of the pipelines of a project."""

    scope: str | None = Param("Only these pipelines.", one_of=("running", "pending", "finished", "branches", "tags"))
    status: str | None = Param("Only pipelines with this status.", one_of=STATUSES)
    ref: str | None = Param("Only pipelines of this branch or tag.")
    sha: str | None = Param("Only pipelines of this commit.")
    yaml_errors: bool | None = Param("Only pipelines with (or without) a faulty configuration.")
    username: str | None = Param("Only pipelines that this person started.")
    updated_before: datetime | None = Param("Only pipelines updated before this time.")
    updated_after: datetime | None = Param("Only pipelines updated after this time.")
    created_before: datetime | None = Param("Only pipelines created before this time.")
    created_after: datetime | None = Param("Only pipelines created after this time.")
    source: str | None = Param("Only pipelines of this source.", one_of=SOURCES)
    name: str | None = Param("Only pipelines with this name.")
    order_by: str = Param("Order.", default="id", one_of=("id", "status", "ref", "updated_at", "user_id"))
    sort: str = Param("Direction.", default="desc", one_of=("asc", "desc"))


class VariableOptions(Params):
    """A variable for one pipeline."""

    key: str = Param("Name.", required=True)
    value: str = Param("Value.", required=True)
    variable_type: str = Param("`env_var` or `file`.", default="env_var", one_of=("env_var", "file"))


class CreatePipeline(Params):
    """A new pipeline."""

    ref: str = Param("The branch or tag to run it for.", required=True)
    variables: list[VariableOptions] = Param("Variables of the pipeline.")
    inputs: dict[str, Any] | None = Param("Inputs of the configuration.")


class LatestPipeline(Params):
    """Which ref's latest pipeline."""

    ref: str | None = Param("The branch or tag; the default branch if absent.")


class ListJobs(CursorPaging):
    """Filters and order of jobs."""

    scope: list[str] = Param("Only jobs with these statuses.", comma=True, one_of=STATUSES)
    order_by: str = Param("Order.", default="id", one_of=("id",))
    sort: str = Param("Direction.", default="desc", one_of=("asc", "desc"))


class ListPipelineJobs(ListJobs, PipelinePath):
    """Jobs of one pipeline."""

    include_retried: bool = Param("Earlier attempts too.", default=False)


class ListBridges(ListJobs, PipelinePath):
    """Bridges of one pipeline."""


class PipelineMetadata(PipelinePath):
    """Changes of a pipeline."""

    name: str = Param("The pipeline's name.", required=True, max_length=255)


class JobVariable(Params):
    """A variable for one run of a job."""

    key: str = Param("Name.", required=True)
    value: str = Param("Value.", required=True)


class PlayJob(JobPath):
    """Starting a job by hand."""

    job_variables_attributes: list[JobVariable] = Param("Variables for this run.")


class CancelJob(JobPath):
    """Cancelling a job."""

    force: bool = Param("End it at once, without its after_script.", default=False)


def given_variables(items: Sequence[JobVariable | VariableOptions], name: str = "variables") -> list[GivenVariable]:
    """The variables of a call, each key checked."""
    for item in items:
        if not consists_of(item.key, f"{ALPHANUMERIC}_") or len(item.key) > 255:
            raise ParamError(f"{name}[key] is invalid")
    return [
        GivenVariable(key=item.key, value=item.value or "", variable_type=getattr(item, "variable_type", "env_var"))
        for item in items
    ]
