"""Job tokens: valid while their job runs, acting as the user who started it."""

from msgspec.structs import replace
from sqlalchemy import Connection, select

from ingot.features.ci.engine.states import EXECUTING
from ingot.features.ci.engine.tables import ci_jobs
from ingot.identity.authentication import actor_of_user
from ingot.identity.tables import users
from ingot.identity.tokens import digest, fresh
from ingot.kit.actor import Actor

PREFIX = "glcbt-64_"


def fresh_job_token() -> str:
    """A new token for a job that a runner takes; only its digest is stored."""
    return fresh(PREFIX)


def resolve_job_token(conn: Connection, clear: str) -> Actor | None:
    """The actor behind a job token; None for unknown tokens, ended jobs and blocked users."""
    if not clear:
        return None
    row = conn.execute(
        select(users, ci_jobs.c.id.label("job_id"), ci_jobs.c.project_id.label("job_project_id"))
        .join_from(ci_jobs, users, users.c.id == ci_jobs.c.user_id)
        .where(
            ci_jobs.c.token_digest == digest(clear),
            ci_jobs.c.status.in_(EXECUTING),
            ci_jobs.c.erased_at.is_(None),
            users.c.state == "active",
        )
    ).one_or_none()
    if row is None:
        return None
    # spec: the person's role, restricted to job-token endpoints; administrators lose their powers here
    return replace(
        actor_of_user(row), is_admin=False, token_kind="job", job_id=row.job_id, job_project_id=row.job_project_id
    )
