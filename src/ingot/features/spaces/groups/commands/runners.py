"""The instance's runners in a group: switching them off reaches everything below it."""

import msgspec
from sqlalchemy import Connection, select, update

from ingot.access.rows import SettingsRow
from ingot.access.tables import namespace_ancestors, namespaces, projects
from ingot.features.spaces.groups.settings import GroupSettings
from ingot.features.spaces.projects import project_settings

ENABLED, UNOVERRIDABLE = "enabled", "disabled_and_unoverridable"
PARENT_DISABLED = "cannot be enabled because parent group has shared Runners disabled"
PARENT_FORBIDS = "cannot be enabled because parent group does not allow it"


def runner_problems(parent: SettingsRow | None, setting: str | None) -> dict[str, list[str]]:
    """A group cannot allow more than its parent."""
    above = ENABLED if parent is None else GroupSettings.of(parent).shared_runners_setting
    if above == ENABLED or setting in (None, UNOVERRIDABLE):
        return {}
    if setting == ENABLED:
        return {"shared_runners_enabled": [PARENT_DISABLED]}
    if above == UNOVERRIDABLE:
        return {"allow_descendants_override_disabled_shared_runners": [PARENT_FORBIDS]}
    return {}


def inherited(parent: SettingsRow | None) -> str:
    """The setting of a new group below this one."""
    above = ENABLED if parent is None else GroupSettings.of(parent).shared_runners_setting
    return ENABLED if above == ENABLED else UNOVERRIDABLE


def switch_off_below(tx: Connection, group_id: int) -> None:
    """No group or project below uses the instance's runners any more."""
    tree = namespace_ancestors
    inside = select(tree.c.namespace_id).where(tree.c.ancestor_id == group_id)
    below = select(namespaces.c.id, namespaces.c.settings).where(
        namespaces.c.id.in_(inside), namespaces.c.id != group_id
    )
    for row in tx.execute(below).all():
        changed = msgspec.structs.replace(GroupSettings.of(row), shared_runners_setting=UNOVERRIDABLE)
        tx.execute(update(namespaces).where(namespaces.c.id == row.id).values(settings=changed.stored()))
    users = select(projects.c.id, projects.c.settings).where(projects.c.namespace_id.in_(inside))
    for row in tx.execute(users).all():
        before = project_settings(row)
        if before.shared_runners_enabled:
            changed_settings = msgspec.structs.replace(before, shared_runners_enabled=False)
            stored = msgspec.to_builtins(changed_settings)
            tx.execute(update(projects).where(projects.c.id == row.id).values(settings=stored))
