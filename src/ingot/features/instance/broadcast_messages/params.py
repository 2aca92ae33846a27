"""Parameters of the broadcast message endpoints."""

from datetime import datetime

from ingot.access.levels import MEMBER_LEVELS
from ingot.kit.params import Param, Params

TYPES = ("banner", "notification")
THEMES = (
    "indigo", "light-indigo", "blue", "light-blue", "green", "light-green", "red", "light-red", "dark", "light",
)  # fmt: skip


class MessagePath(Params):
    """One message."""

    id: int = Param("The message's id.", required=True)


class MessageFields(Params):
    """What a message may have."""

    starts_at: datetime | None = Param("Start; now if absent.")
    ends_at: datetime | None = Param("End; an hour after the start if absent.")
    color: str | None = Param("Background, as `#RRGGBB`.")
    font: str | None = Param("Colour of the text, as `#RRGGBB`.")
    target_access_levels: list[int] = Param("Only for users with these roles.", one_of=MEMBER_LEVELS)
    target_path: str | None = Param("Shown only on pages whose path matches; `*` matches anything.", max_length=255)
    broadcast_type: str | None = Param("How it is shown.", one_of=TYPES)
    theme: str | None = Param("Theme of a banner.", one_of=THEMES)
    dismissable: bool | None = Param("Whether users can dismiss it.")


class CreateMessage(MessageFields):
    """A new message."""

    message: str = Param("The text.", required=True)


class UpdateMessage(MessagePath, MessageFields):
    """Changes of a message."""

    message: str | None = Param("The text.")
