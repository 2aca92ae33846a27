"""Deploy tokens: user name and password with which machines read a project, or all projects of a group."""

from ingot.features.spaces.deploy_tokens.queries import ci_deploy_token, find_reader, opens_project
from ingot.features.spaces.deploy_tokens.rows import DeployTokenRow

__all__ = ["DeployTokenRow", "ci_deploy_token", "find_reader", "opens_project"]
