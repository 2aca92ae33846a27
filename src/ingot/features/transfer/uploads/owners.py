"""The owner of an upload: a project or a group. Everything else is the same for both."""

import msgspec
from sqlalchemy import ColumnElement

from ingot.features.transfer.uploads.tables import uploads


class Owner(msgspec.Struct, frozen=True):
    """The project or group that a file belongs to."""

    kind: str  # project | group
    id: int

    @property
    def column(self) -> str:
        """The column that names the owner."""
        return f"{self.kind}_id"

    @property
    def prefix(self) -> str:
        """Where its files are in the object store."""
        return f"uploads/{self.kind}/{self.id}"

    def mine(self) -> ColumnElement[bool]:
        """Condition on `uploads`."""
        return uploads.c[self.column] == self.id

    def web_path(self, secret: str, filename: str) -> str:
        """The address without the host, valid as long as the owner exists."""
        return f"/-/{self.kind}/{self.id}/uploads/{secret}/{filename}"
