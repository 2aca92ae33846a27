"""`.gitlab-ci.yml` compiled into a plan of stages and jobs. Pure: files and changes are read through callbacks."""

from ingot.features.ci.config.budget import Budget
from ingot.features.ci.config.event import PipelineEvent
from ingot.features.ci.config.expansion import expand, expand_scope
from ingot.features.ci.config.files import RemoteFailed
from ingot.features.ci.config.includes import Included
from ingot.features.ci.config.input_offers import OfferedInput, offered_inputs
from ingot.features.ci.config.jobs import WHEN, JobRule
from ingot.features.ci.config.keywords.artifacts import parse_artifacts
from ingot.features.ci.config.keywords.caches import parse_caches
from ingot.features.ci.config.keywords.environments import parse_environment
from ingot.features.ci.config.keywords.images import parse_image, parse_services
from ingot.features.ci.config.keywords.outcomes import parse_allow_failure, parse_coverage, parse_retry
from ingot.features.ci.config.keywords.triggers import parse_trigger
from ingot.features.ci.config.keywords.variables import parse_variables
from ingot.features.ci.config.linting import LintResult, lint
from ingot.features.ci.config.plan import (
    Artifacts,
    Cache,
    CrossNeed,
    Environment,
    Image,
    Need,
    PipelinePlan,
    PlannedJob,
    PlannedVariable,
    Service,
    Trigger,
    When,
)
from ingot.features.ci.config.planned_keywords import planned_environment
from ingot.features.ci.config.planning import compile_pipeline
from ingot.features.ci.config.problems import ConfigInvalid, PipelineNotCreated, Problems
from ingot.features.ci.config.regexps import BadRegexp, compile_regexp
from ingot.features.ci.config.scripts import parse_hooks, parse_run, parse_script

__all__ = [
    "WHEN",
    "Artifacts",
    "BadRegexp",
    "Budget",
    "Cache",
    "ConfigInvalid",
    "CrossNeed",
    "Environment",
    "Image",
    "Included",
    "JobRule",
    "LintResult",
    "Need",
    "OfferedInput",
    "PipelineEvent",
    "PipelineNotCreated",
    "PipelinePlan",
    "PlannedJob",
    "PlannedVariable",
    "Problems",
    "RemoteFailed",
    "Service",
    "Trigger",
    "When",
    "compile_pipeline",
    "compile_regexp",
    "expand",
    "expand_scope",
    "lint",
    "offered_inputs",
    "parse_allow_failure",
    "parse_artifacts",
    "parse_caches",
    "parse_coverage",
    "parse_environment",
    "parse_hooks",
    "parse_image",
    "parse_retry",
    "parse_run",
    "parse_script",
    "parse_services",
    "parse_trigger",
    "parse_variables",
    "planned_environment",
]  # fmt: skip
