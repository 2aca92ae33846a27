"""Deploy tokens: user name and password with which machines read a project, or all projects of a group."""

from ingot.features.spaces.deploy_tokens.entities import username as deploy_token_username
from ingot.features.spaces.deploy_tokens.queries import ci_deploy_token, find_reader, opens_project
from ingot.features.spaces.deploy_tokens.rows import DeployTokenRow
from ingot.features.spaces.deploy_tokens.tables import deploy_tokens

__all__ = [
    "DeployTokenRow", "ci_deploy_token", "deploy_token_username", "deploy_tokens", "find_reader", "opens_project",
]  # fmt: skip
