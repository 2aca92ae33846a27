"""Payloads of deployments."""

from datetime import UTC

from ingot.features.ci.deployments import DeploymentRow, EnvironmentRow, deployments, environments
from ingot.features.integrations.web_hooks.messages import Message
from ingot.features.integrations.web_hooks.payloads.blocks import Blocks, Payload
from ingot.kit.changes import Change

SENT = ("running", "success", "failed", "canceled")


def messages(blocks: Blocks, change: Change) -> list[Message]:
    """The message of a deployment that began or ended. Its commit's title is a late part."""
    row: DeploymentRow | None = blocks.row(deployments, change.record_id)
    if row is None or change.action not in SENT:
        return []
    environment: EnvironmentRow = blocks.row(environments, row.environment_id)
    url, user = blocks.project_url(row.project_id), blocks.user_row(row.user_id)
    payload: Payload = {
        "object_kind": "deployment",
        "status": change.action,
        "status_changed_at": f"{row.updated_at.astimezone(UTC):%Y-%m-%d %H:%M:%S} +0000",
        "deployment_id": row.id,
        "deployable_id": row.job_id,
        "deployable_url": None if row.job_id is None else f"{url}/-/jobs/{row.job_id}",
        "environment": environment.name,
        "environment_tier": environment.tier,
        "environment_slug": environment.slug,
        "environment_external_url": environment.external_url,
        "project": blocks.project(row.project_id),
        "short_sha": row.sha[:8],
        "user": blocks.user(row.user_id),
        "user_url": None if user is None else f"{blocks.base_url}/{user.username}",
        "commit_url": f"{url}/-/commit/{row.sha}",
        "commit_title": None,
        "ref": row.ref,
    }
    title: dict[str, object] = {
        "kind": "commit_title", "at": ["commit_title"], "project_id": row.project_id, "sha": row.sha
    }  # fmt: skip
    return [Message("deployment_events", f"deployment:{row.id}", payload, late_parts=[title])]
