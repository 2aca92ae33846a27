"""CI variables: of projects, groups and the instance, of pipelines, predefined; and how their layers merge."""

from ingot.features.ci.variables.configured import configured_variables
from ingot.features.ci.variables.facts import (
    CommitFacts,
    EnvironmentFacts,
    JobFacts,
    MergeRequestFacts,
    PipelineFacts,
    ProjectFacts,
    RunnerFacts,
    ServerFacts,
    UserFacts,
)
from ingot.features.ci.variables.given import GivenVariable, read_given, sealed_rows
from ingot.features.ci.variables.layers import CiVariable, as_scope, from_dotenv, from_plan, layered
from ingot.features.ci.variables.predefined import job_variables, pipeline_variables
from ingot.features.ci.variables.rows import GivenVariableRow

__all__ = [
    "CiVariable",
    "CommitFacts",
    "EnvironmentFacts",
    "GivenVariable",
    "GivenVariableRow",
    "JobFacts",
    "MergeRequestFacts",
    "PipelineFacts",
    "ProjectFacts",
    "RunnerFacts",
    "ServerFacts",
    "UserFacts",
    "as_scope",
    "configured_variables",
    "from_dotenv",
    "from_plan",
    "job_variables",
    "layered",
    "pipeline_variables",
    "read_given",
    "sealed_rows",
]
