"""Editing a group: attributes, settings, and a rename that moves everything below."""

from collections.abc import Mapping

import msgspec
from sqlalchemy import Connection, select, update
from sqlalchemy.exc import IntegrityError

from ingot.access import names
from ingot.access.addresses import store_ranges
from ingot.access.levels import OWNER, Visibility
from ingot.access.rows import NamespaceRow
from ingot.access.subjects import find_group
from ingot.access.tables import namespace_ancestors, namespaces
from ingot.features.spaces.groups.commands.create import place, settings_from
from ingot.features.spaces.groups.commands.form import GroupForm, problems, setting_problems
from ingot.features.spaces.groups.commands.move import move_paths
from ingot.features.spaces.groups.commands.runners import ENABLED, runner_problems, switch_off_below
from ingot.features.spaces.groups.file_templates import file_template_problems
from ingot.features.spaces.groups.settings import GroupSettings
from ingot.kit.actor import Actor
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.errors import Invalid

LOCKED_ABOVE = (
    'cannot be disabled when the parent group "Share with group lock" is enabled, except by the owner of the parent'
    " group"
)


def edit_group(tx: Connection, actor: Actor, group: NamespaceRow, options: Mapping[str, object]) -> None:
    """Apply what was sent; raises `Invalid` with all problems."""
    group = place(tx, group.id)
    parent = None if group.parent_id is None else place(tx, group.parent_id)
    form = GroupForm(
        name=str(options["name"] or "").strip() if "name" in options else group.name,
        path=str(options["path"] or "") if "path" in options else group.path,
        description=str(options["description"] or "") if "description" in options else group.description,
        visibility=Visibility.of(str(options["visibility"]))
        if options.get("visibility")
        else Visibility(group.visibility),
        parent=parent,
        id=group.id,
    )
    result = problems(tx, actor, form, _changes(group, form)) | setting_problems(actor, options)
    settings = settings_from(GroupSettings.of(group), actor, options)
    before = GroupSettings.of(group)
    result |= _lock_problems(tx, actor, parent, before, settings)
    if settings.shared_runners_setting != before.shared_runners_setting:
        result |= runner_problems(parent, settings.shared_runners_setting)
    if group.parent_id is not None and options.get("prevent_sharing_groups_outside_hierarchy"):
        result["prevent_sharing_groups_outside_hierarchy"] = ["only allowed on top-level groups"]
    if group.parent_id is not None and options.get("ip_restriction_ranges"):
        result["ip_restriction_ranges"] = ["only allowed on top-level groups"]
    if settings.file_template_project_id != before.file_template_project_id:
        result |= file_template_problems(tx, actor, group, settings.file_template_project_id)
    if result:
        raise Invalid(result)
    _store(tx, group, form, settings)
    report_change(tx, Change("group_settings", "update", group.id, group_id=group.id, details={"before": group}))
    if form.path != group.path:
        old = {"old_path": group.path, "old_full_path": group.full_path}
        report_change(tx, Change("group", "rename", group.id, group_id=group.parent_id, details=old))
    if settings.ip_restriction_ranges != before.ip_restriction_ranges:
        store_ranges(tx, group.id, settings.ip_restriction_ranges)
    if settings.share_with_group_lock and not before.share_with_group_lock:
        _lock_below(tx, group.id)
    if settings.shared_runners_setting not in (ENABLED, before.shared_runners_setting):
        switch_off_below(tx, group.id)


def _changes(group: NamespaceRow, form: GroupForm) -> set[str]:
    # A path from before today's rules stays valid as long as it stays the same.
    return {
        name for name in ("name", "path", "description", "visibility") if getattr(group, name) != getattr(form, name)
    }


def _lock_problems(
    tx: Connection, actor: Actor, parent: NamespaceRow | None, before: GroupSettings, after: GroupSettings
) -> dict[str, list[str]]:
    opens = before.share_with_group_lock and not after.share_with_group_lock
    if not opens or parent is None or not GroupSettings.of(parent).share_with_group_lock or actor.is_admin:
        return {}
    above = find_group(tx, actor, parent.id)
    if above is not None and above.level >= OWNER:
        return {}
    return {"share_with_group_lock": [LOCKED_ABOVE]}


def _store(tx: Connection, group: NamespaceRow, form: GroupForm, settings: GroupSettings) -> None:
    try:
        with tx.begin_nested():
            if (form.full_path, form.full_name) != (group.full_path, group.full_name):
                move_paths(tx, group, full_path=form.full_path, full_name=form.full_name)
            tx.execute(
                update(namespaces)
                .where(namespaces.c.id == group.id)
                .values(
                    name=form.name,
                    path=form.path,
                    description=form.description,
                    visibility=int(form.visibility),
                    settings=settings.stored(),
                    updated_at=now(),
                )
            )
    except IntegrityError:
        # The path was taken between the check and the update.
        raise Invalid({"path": [names.TAKEN]}) from None


def _lock_below(tx: Connection, group_id: int) -> None:
    tree = namespace_ancestors
    inside = select(tree.c.namespace_id).where(tree.c.ancestor_id == group_id, tree.c.depth > 0)
    rows = tx.execute(select(namespaces.c.id, namespaces.c.settings).where(namespaces.c.id.in_(inside))).all()
    for row in rows:
        locked = msgspec.structs.replace(GroupSettings.of(row), share_with_group_lock=True)
        tx.execute(update(namespaces).where(namespaces.c.id == row.id).values(settings=locked.stored()))
