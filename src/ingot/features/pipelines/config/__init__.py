"""`.gitlab-ci.yml` compiled into a plan of stages and jobs. Pure: files and changes are asked through callbacks."""

from .configuration import Configuration, parse_configuration
from .durations import is_never, parse_duration
from .event import PipelineEvent
from .expansion import expand, expand_scope
from .files import Files, FilesInMemory, RemoteFailed
from .linting import LintResult, lint
from .plan import (
    Artifacts,
    Cache,
    CrossNeed,
    Environment,
    Image,
    Need,
    PipelinePlan,
    PlannedJob,
    PlannedVariable,
    Retry,
    Service,
    Trigger,
    TriggerInclude,
)
from .planning import compile_pipeline, plan_pipeline
from .problems import ConfigInvalid, PipelineEmpty, PipelineFiltered, PipelineNotCreated

__all__ = [
    "Artifacts",
    "Cache",
    "ConfigInvalid",
    "Configuration",
    "CrossNeed",
    "Environment",
    "Files",
    "FilesInMemory",
    "Image",
    "LintResult",
    "Need",
    "PipelineEmpty",
    "PipelineEvent",
    "PipelineFiltered",
    "PipelineNotCreated",
    "PipelinePlan",
    "PlannedJob",
    "PlannedVariable",
    "RemoteFailed",
    "Retry",
    "Service",
    "Trigger",
    "TriggerInclude",
    "compile_pipeline",
    "expand",
    "expand_scope",
    "is_never",
    "lint",
    "parse_configuration",
    "parse_duration",
    "plan_pipeline",
]
