"""Blocks that many payloads share: people, projects, labels and moments."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import Connection, Table, select

from ingot.access import ssh_addresses
from ingot.access.rows import NamespaceRow, ProjectRow
from ingot.access.tables import namespaces, projects
from ingot.features.integrations.web_hooks.pictures import absolute_pictures
from ingot.features.people.users import avatar_url
from ingot.features.planning.labels import LabelRow, labels
from ingot.features.spaces.projects import project_settings
from ingot.identity.rows import UserRow
from ingot.identity.tables import users

Payload = dict[str, object]
REDACTED = "[REDACTED]"


def moment(at: datetime | None) -> str | None:
    """A moment in the attributes of a record."""
    return None if at is None else f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def iso(at: datetime | None) -> str | None:
    """A moment in the events of the instance, its groups and their members."""
    return None if at is None else f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def day(at: date | None) -> str | None:
    """A day."""
    return None if at is None else at.isoformat()


class Blocks:
    """Reads rows in a transaction and writes them as blocks; `mark` stands for the instance's address."""

    def __init__(self, tx: Connection, mark: str) -> None:
        self.tx = tx
        self.base_url = f"base:{mark}"
        self.host = f"host-{mark}"
        self._rows: dict[tuple[str, int], Any] = {}

    def row(self, table: Table, row_id: int | None) -> Any:
        """A row by its id, read once; None where there is none."""
        if row_id is None:
            return None
        key = (table.name, row_id)
        if key not in self._rows:
            self._rows[key] = self.tx.execute(select(table).where(table.c.id == row_id)).one_or_none()
        return self._rows[key]

    def project_row(self, project_id: int | None) -> ProjectRow:
        """A project that is there."""
        row: ProjectRow = self.row(projects, project_id)
        return row

    def namespace_row(self, namespace_id: int) -> NamespaceRow:
        """A namespace that is there."""
        row: NamespaceRow = self.row(namespaces, namespace_id)
        return row

    def user_row(self, user_id: int | None) -> UserRow | None:
        """A person, or None for nobody."""
        row: UserRow | None = self.row(users, user_id)
        return row

    def user(self, user_id: int | None) -> Payload | None:
        """Somebody; the address is shown where it is public."""
        row = self.user_row(user_id)
        if row is None:
            return None
        return {
            "id": row.id,
            "name": row.name,
            "username": row.username,
            "avatar_url": avatar_url(row, self.base_url),
            "email": row.public_email or REDACTED,
        }

    def people(self, user_ids: Iterable[int]) -> list[Payload]:
        """Several people, in order."""
        return [block for user_id in user_ids if (block := self.user(user_id)) is not None]

    def project_url(self, project_id: int | None) -> str:
        """Where people look at a project."""
        return f"{self.base_url}/{self.project_row(project_id).full_path}"

    def short_project(self, project_id: int | None) -> Payload:
        """A project without its old names of addresses."""
        row = self.project_row(project_id)
        url = self.project_url(project_id)
        picture = None
        if row.avatar:
            picture = f"{self.base_url}/uploads/-/system/project/avatar/{row.id}/{row.avatar.rsplit('/', 1)[-1]}"
        return {
            "id": row.id,
            "name": row.name,
            "description": row.description or "",
            "web_url": url,
            "avatar_url": picture,
            **self._clone_urls(row),
            "namespace": self.namespace_row(row.namespace_id).name,
            "visibility_level": row.visibility,
            "path_with_namespace": row.full_path,
            "default_branch": row.default_branch,
            "ci_config_path": project_settings(row).ci_config_path or None,
        }

    def _clone_urls(self, row: ProjectRow) -> Payload:
        return {
            "git_ssh_url": ssh_addresses.url_of(self.host, row.full_path),
            "git_http_url": f"{self.base_url}/{row.full_path}.git",
        }

    def project(self, project_id: int | None) -> Payload:
        """A project."""
        short = self.short_project(project_id)
        old = {
            "homepage": short["web_url"],
            "url": short["git_ssh_url"],
            "ssh_url": short["git_ssh_url"],
            "http_url": short["git_http_url"],
        }
        return {**short, **old}

    def group(self, group_id: int | None) -> Payload:
        """A group that is there."""
        row: NamespaceRow = self.row(namespaces, group_id)
        return {"group_name": row.name, "group_path": row.path, "group_id": row.id, "full_path": row.full_path}

    def repository(self, project_id: int, *, with_addresses: bool = False) -> Payload:
        """A project's repository, as old clients know it."""
        row = self.project_row(project_id)
        addresses = self._clone_urls(row)
        more = {**addresses, "visibility_level": row.visibility} if with_addresses else {}
        return {
            "name": row.name,
            "url": addresses["git_ssh_url"],
            "description": row.description or "",
            "homepage": self.project_url(project_id),
            **more,
        }

    def labels(self, ids: Iterable[int]) -> list[Payload]:
        """Labels by their ids; those that are gone are left out."""
        rows = [self.row(labels, label_id) for label_id in ids]
        return [_label(row) for row in rows if row is not None]

    def absolute(self, text: str | None) -> str | None:
        """A text whose uploaded pictures have whole addresses."""
        return None if text is None else absolute_pictures(text, self.base_url)


def _label(row: LabelRow) -> Payload:
    return {
        "id": row.id,
        "title": row.name,
        "color": row.color,
        "project_id": row.project_id,
        "created_at": moment(row.created_at),
        "updated_at": moment(row.updated_at),
        "template": False,
        "description": row.description,
        "type": "GroupLabel" if row.project_id is None else "ProjectLabel",
        "group_id": row.group_id,
    }
