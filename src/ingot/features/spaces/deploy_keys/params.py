"""Parameters of the deploy key endpoints."""

from datetime import datetime

from ingot.kit.params import CursorPaging, Param, Params


class KeyPath(Params):
    """One deploy key."""

    key_id: int = Param("The key's id.", required=True)


class ListInstanceKeys(CursorPaging):
    """All deploy keys."""

    public: bool = Param("Only keys that are offered to every project.", default=False)


class CreateInstanceKey(Params):
    """A key that every project may use."""

    key: str = Param("The public key.", required=True)
    title: str = Param("Title.", required=True)
    expires_at: datetime | None = Param("When it stops working.")


class CreateProjectKey(CreateInstanceKey):
    """A key of a project."""

    can_push: bool = Param("Whether it may push.", default=False)


class UpdateProjectKey(KeyPath):
    """Changes of a key."""

    title: str | None = Param("Title.")
    can_push: bool | None = Param("Whether it may push to this project.")
    at_least_one = ("title", "can_push")
