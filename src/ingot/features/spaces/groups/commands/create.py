"""Creating a group: the row, its place in the tree, its first owner."""

from collections.abc import Mapping

import msgspec
from sqlalchemy import Connection, insert, literal, select
from sqlalchemy.exc import IntegrityError

from ingot.access import names
from ingot.access.authorizations import refresh_groups
from ingot.access.levels import OWNER, Visibility
from ingot.access.member_changes import report_member
from ingot.access.paths import lock_namespace, release_path
from ingot.access.rows import NamespaceRow
from ingot.access.tables import members, namespace_ancestors, namespaces
from ingot.access.turns import take_turn
from ingot.features.spaces.groups.commands.form import ADMIN_SETTINGS, GroupForm, problems, setting_problems
from ingot.features.spaces.groups.commands.runners import inherited, runner_problems
from ingot.features.spaces.groups.settings import GROUP_SETTINGS, GroupSettings, fresh_runners_token
from ingot.instance import application_setting
from ingot.kit.actor import Actor
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.errors import NotFound, Unsaved


def _text(options: Mapping[str, object], name: str) -> str | None:
    value = options.get(name)
    return value if isinstance(value, str) else None


def create_group(
    tx: Connection,
    actor: Actor,
    *,
    name: str,
    path: str,
    parent: NamespaceRow | None = None,
    options: Mapping[str, object] | None = None,
) -> int:
    """Create a group below `parent` (a row that the actor may create in) and make the actor its owner.

    `options` holds further attributes by the names of the API. Returns the id; raises `Unsaved` with all problems.
    """
    options = dict(options or {})
    above = None if parent is None else place(tx, parent.id)
    form = GroupForm(
        name=name.strip(),
        path=path,
        description=str(options.get("description") or ""),
        visibility=_visibility(tx, _text(options, "visibility"), above),
        parent=above,
    )
    result = problems(tx, actor, form, {"name", "path", "description", "visibility"}) | setting_problems(actor, options)
    result |= runner_problems(above, _text(options, "shared_runners_setting"))
    if result:
        raise Unsaved("Failed to save group", result)
    locked = above is not None and GroupSettings.of(above).share_with_group_lock
    fresh = GroupSettings(
        runners_token=fresh_runners_token(), share_with_group_lock=locked, shared_runners_setting=inherited(above)
    )
    group_id = _insert(tx, form, settings_from(fresh, actor, options))
    release_path(tx, form.full_path)
    place_below(tx, group_id, None if parent is None else parent.id)
    moment = now()
    tx.execute(
        insert(members).values(
            user_id=actor.id,
            group_id=group_id,
            access_level=OWNER,
            created_by_id=actor.id,
            created_at=moment,
            updated_at=moment,
        )
    )
    refresh_groups(tx, [group_id])
    report_change(tx, Change("group", "create", group_id, group_id=None if above is None else above.id))
    report_member(tx, actor.id, None, group_id=group_id)
    return group_id


def place(tx: Connection, group_id: int) -> NamespaceRow:
    """The group as it is now, with the tree locked until this transaction ends."""
    take_turn(tx, exclusive=True)
    lock_namespace(tx, group_id)
    here = namespaces.c.id == group_id
    row = tx.execute(select(namespaces).where(here, namespaces.c.pending_delete.is_(False))).one_or_none()
    if row is None:
        raise NotFound("Group")
    return row


def settings_from(current: GroupSettings, actor: Actor, options: Mapping[str, object]) -> GroupSettings:
    """The settings after applying what was sent; what only administrators may set is ignored for others."""
    known = GROUP_SETTINGS.settings
    chosen = {name: value for name, value in options.items() if name in known and value not in (None, "")}
    # Empty: use the instance's value again.
    chosen |= {name: None for name, value in options.items() if name in GROUP_SETTINGS.nullable and value in (None, "")}
    if "default_branch_protection" in chosen and "default_branch_protection_defaults" not in chosen:
        chosen["default_branch_protection_defaults"] = None  # the number says it all
    if options.get("emails_disabled") is not None and "emails_enabled" not in chosen:
        chosen["emails_enabled"] = not options["emails_disabled"]
    if not actor.is_admin:
        chosen = {name: value for name, value in chosen.items() if name not in ADMIN_SETTINGS}
    return msgspec.structs.replace(current, **chosen)


def place_below(tx: Connection, namespace_id: int, parent_id: int | None) -> None:
    """Record the ancestors of the namespace: itself, its parent and all above."""
    tx.execute(insert(namespace_ancestors).values(namespace_id=namespace_id, ancestor_id=namespace_id, depth=0))
    if parent_id is not None:
        above = select(literal(namespace_id), namespace_ancestors.c.ancestor_id, namespace_ancestors.c.depth + 1).where(
            namespace_ancestors.c.namespace_id == parent_id
        )
        tx.execute(insert(namespace_ancestors).from_select(["namespace_id", "ancestor_id", "depth"], above))


def _visibility(tx: Connection, word: str | None, parent: NamespaceRow | None) -> Visibility:
    if word is not None:
        return Visibility.of(word)
    usual = Visibility.of(application_setting(tx, "default_group_visibility"))
    return usual if parent is None else Visibility(min(usual, parent.visibility))


def _insert(tx: Connection, form: GroupForm, settings: GroupSettings) -> int:
    moment = now()
    statement = (
        insert(namespaces)
        .values(
            kind="group",
            parent_id=None if form.parent is None else form.parent.id,
            name=form.name,
            path=form.path,
            full_path=form.full_path,
            full_path_lower=form.full_path.lower(),
            full_name=form.full_name,
            description=form.description,
            visibility=int(form.visibility),
            settings=settings.stored(),
            created_at=moment,
            updated_at=moment,
        )
        .returning(namespaces.c.id)
    )
    try:
        with tx.begin_nested():
            return int(tx.execute(statement).scalar_one())
    except IntegrityError:
        # The path was taken between the check and the insert.
        raise Unsaved("Failed to save group", {"path": [names.TAKEN]}) from None
