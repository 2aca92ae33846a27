"""The requested state of a group, and its problems in the form of the documented errors."""

from collections.abc import Mapping

import msgspec
from sqlalchemy import Connection, func, select

from ingot.access import names
from ingot.access.levels import Visibility
from ingot.access.paths import is_path_taken
from ingot.access.rows import NamespaceRow
from ingot.access.tables import namespace_ancestors, namespaces, projects
from ingot.features.spaces.groups.settings import GROUP_SETTINGS, Writer
from ingot.instance import application_setting
from ingot.kit.actor import Actor

# Ignored when others send them.
ADMIN_SETTINGS = frozenset(GROUP_SETTINGS.named(written_by=Writer.ADMINISTRATORS))


class GroupForm(msgspec.Struct, frozen=True):
    """The requested state of a group. `parent` is the parent's row, `id` the group's own once it exists."""

    name: str
    path: str
    description: str
    visibility: Visibility
    parent: NamespaceRow | None = None
    id: int | None = None

    @property
    def full_path(self) -> str:
        """The whole path, from the top."""
        return self.path if self.parent is None else f"{self.parent.full_path}/{self.path}"

    @property
    def full_name(self) -> str:
        """The names from the top, for display."""
        return self.name if self.parent is None else f"{self.parent.full_name} / {self.name}"


def problems(conn: Connection, actor: Actor, form: GroupForm, changed: set[str]) -> dict[str, list[str]]:
    """Everything wrong with what changed, by attribute."""
    result: dict[str, list[str]] = {}
    if "name" in changed:
        result["name"] = _name_problems(conn, form)
    if "path" in changed:
        result["path"] = _path_problems(conn, form)
    if "description" in changed and len(form.description) > names.MAX_GROUP_DESCRIPTION:
        result["description"] = [names.too_long(names.MAX_GROUP_DESCRIPTION)]
    if "visibility" in changed:
        result["visibility_level"] = _visibility_problems(conn, actor, form)
    if form.id is None and form.parent is not None and depth_of(conn, form.parent.id) > names.MAX_ANCESTORS:
        result["parent_id"] = [names.TOO_DEEP]
    return {name: texts for name, texts in result.items() if texts}


def setting_problems(actor: Actor, options: Mapping[str, object]) -> dict[str, list[str]]:
    """Problems of the sent settings, without those that are ignored."""
    if not actor.is_admin:
        options = {name: value for name, value in options.items() if name not in ADMIN_SETTINGS}
    return GROUP_SETTINGS.problems(options)


def depth_of(conn: Connection, namespace_id: int) -> int:
    """The depth of a namespace, counting itself."""
    counted = select(func.count()).where(namespace_ancestors.c.namespace_id == namespace_id)
    return int(conn.execute(counted.select_from(namespace_ancestors)).scalar_one())


def _name_problems(conn: Connection, form: GroupForm) -> list[str]:
    result = names.group_name_problems(form.name)
    if form.parent is None:
        return result
    same_name = select(namespaces.c.id).where(
        namespaces.c.parent_id == form.parent.id, namespaces.c.name == form.name, namespaces.c.id != (form.id or 0)
    )
    return [*result, names.TAKEN] if conn.execute(same_name).first() is not None else result


def _path_problems(conn: Connection, form: GroupForm) -> list[str]:
    result = names.group_path_problems(form.path, top_level=form.parent is None)
    if not result:
        result = names.full_path_problems(form.full_path)
    if is_path_taken(conn, form.full_path, except_namespace=form.id):
        result = [*result, names.TAKEN]
    return result


def _visibility_problems(conn: Connection, actor: Actor, form: GroupForm) -> list[str]:
    word = form.visibility.word
    result = []
    if not actor.is_admin and word in application_setting(conn, "restricted_visibility_levels"):
        result.append(f"{word} has been restricted by your GitLab administrator")
    if form.parent is not None and form.visibility > form.parent.visibility:
        above = Visibility(form.parent.visibility).word
        result.append(f"{word} is not allowed since the parent group has a {above} visibility.")
    if form.id is not None:
        below = namespace_ancestors
        inside = (
            select(projects.c.id)
            .join(below, below.c.namespace_id == projects.c.namespace_id)
            .where(below.c.ancestor_id == form.id, projects.c.visibility > form.visibility)
        )
        if conn.execute(inside.limit(1)).first() is not None:
            result.append(f"{word} is not allowed since this group contains projects with higher visibility.")
        children = (
            select(namespaces.c.id)
            .join(below, below.c.namespace_id == namespaces.c.id)
            .where(below.c.ancestor_id == form.id, below.c.depth > 0, namespaces.c.visibility > form.visibility)
        )
        if conn.execute(children.limit(1)).first() is not None:
            result.append(f"{word} is not allowed since there are sub-groups with higher visibility.")
    return result
