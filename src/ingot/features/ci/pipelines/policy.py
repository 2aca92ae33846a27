"""Rights on single pipelines and jobs beyond the guards of their endpoints."""

from ingot.access.levels import DEVELOPER, MAINTAINER
from ingot.access.subjects import Project
from ingot.features.ci.pipelines.rows import WholePipelineRow
from ingot.kit.actor import Actor


def may_read_variables(actor: Actor, project: Project, pipeline: WholePipelineRow) -> bool:
    """Maintainers, and the user who started the pipeline."""
    is_starter = actor.user_id is not None and pipeline.user_id == actor.user_id
    return is_starter or actor.is_admin or project.level >= MAINTAINER


def may_read_debug_trace(actor: Actor, project: Project) -> bool:
    """A debug log shows secrets, so it is for developers."""
    return actor.is_admin or project.level >= DEVELOPER


def may_force_cancel(actor: Actor, project: Project) -> bool:
    """Maintainers end a job without waiting for its runner."""
    return actor.is_admin or project.level >= MAINTAINER
