"""Which client created an issue or a snippet, for administrators who look into abuse."""

from ingot.features.spaces.user_agents.details import UserAgentDetail, get_detail, record_client

__all__ = ["UserAgentDetail", "get_detail", "record_client"]
