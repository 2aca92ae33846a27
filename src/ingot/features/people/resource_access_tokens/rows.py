"""Rows as typed records, for passing between functions."""

from typing import Protocol

from ingot.identity.rows import PersonalAccessTokenRow


class ResourceTokenRow(PersonalAccessTokenRow, Protocol):
    """A token of a bot, with the bot's project or group and role."""

    project_id: int | None
    group_id: int | None
    access_level: int
