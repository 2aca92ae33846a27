"""What can be changed in projects, groups and users: by name, with values that people can read."""

from collections.abc import Iterator, Mapping

import msgspec

from ingot.access.levels import Feature, Visibility
from ingot.access.rows import NamespaceRow, ProjectRow
from ingot.access.tables import projects
from ingot.features.spaces.groups import GroupSettings
from ingot.features.spaces.projects import project_settings
from ingot.identity.rows import UserRow

Facts = dict[str, object]
# Values are secrets where the name is, or ends in, one of these; "value" is that of a CI/CD variable.
SECRET = ("token", "key", "secret", "password", "value")
LONGEST_VALUE = 500
LEVELS = tuple(column.name for column in projects.c if column.name.endswith("_access_level"))


def project_facts(row: ProjectRow) -> Facts:
    """The settings of a project."""
    levels: Facts = {name: Feature(getattr(row, name)).word for name in LEVELS}
    return {
        "name": row.name,
        "path": row.full_path,
        "description": row.description,
        "visibility": Visibility(row.visibility).word.capitalize(),
        "archived": row.archived,
        "default_branch": row.default_branch,
        **levels,
        **_settings(project_settings(row)),
    }


def group_facts(row: NamespaceRow) -> Facts:
    """The settings of a group."""
    return {
        "name": row.name,
        "path": row.full_path,
        "description": row.description,
        "visibility": Visibility(row.visibility).word.capitalize(),
        **_settings(GroupSettings.of(row)),
    }


def user_facts(row: UserRow) -> Facts:
    """What of an account concerns rights and sign-ins."""
    return {
        "username": row.username,
        "name": row.name,
        "email address": row.email,
        "admin status": row.is_admin,
        "external status": row.is_external,
        "private profile": row.private_profile,
        "can create group": row.can_create_group,
        "projects limit": row.projects_limit,
        "password": row.password_hash,
    }


def _settings(settings: msgspec.Struct) -> Facts:
    return {name: msgspec.to_builtins(getattr(settings, name)) for name in settings.__struct_fields__}


def differences(before: Mapping[str, object], after: Mapping[str, object]) -> Iterator[tuple[str, Facts]]:
    """The names of changed values, each with what it was and is; secrets are only said to have changed."""
    for name, new in after.items():
        old = before.get(name)
        if old == new:
            continue
        if name.rpartition("_")[2] in SECRET:
            yield name, {"change": name}
        else:
            yield name, {"change": name, "from": _short(old), "to": _short(new)}


def _short(value: object) -> object:
    if isinstance(value, str):
        return value[:LONGEST_VALUE]
    if value is None or isinstance(value, bool | int | float):
        return value
    return msgspec.json.encode(value).decode()[:LONGEST_VALUE]
