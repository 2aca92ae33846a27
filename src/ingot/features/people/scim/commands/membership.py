"""Removing a user from the group, and restoring the membership."""

from sqlalchemy import Connection, select, update

from ingot.access.levels import OWNER
from ingot.access.tables import members, namespace_ancestors, projects
from ingot.access.unassigning import unassign_user_later
from ingot.features.people.members import has_other_owner, leave_hierarchy
from ingot.features.people.saml import ensure_member
from ingot.features.people.scim.errors import ScimError
from ingot.features.people.scim.rows import ScimPersonRow, ScimProviderRow
from ingot.identity.tables import scim_identities
from ingot.kit.clock import now
from ingot.kit.db import take_turn


def set_active(tx: Connection, provider: ScimProviderRow, person: ScimPersonRow, *, active: bool) -> bool:
    """Bring the identity and the membership into this state; whether a membership changed. The account stays."""
    if active:
        changed = ensure_member(tx, person.user_id, provider.group_id, provider.default_membership_role)
    else:
        changed = _remove_member(tx, provider, person)
    if person.active != active:
        tx.execute(
            update(scim_identities).where(scim_identities.c.id == person.id).values(active=active, updated_at=now())
        )
    return changed


def _remove_member(tx: Connection, provider: ScimProviderRow, person: ScimPersonRow) -> bool:
    """End the memberships in the group and all below it, also where the one in the group itself had ended before."""
    take_turn(tx, f"scim:{provider.group_id}")  # of two owners who leave concurrently, one stays
    levels = _levels(tx, provider.group_id, person.user_id)
    if not levels:
        return False
    if levels.get(provider.group_id) == OWNER and not has_other_owner(tx, provider.group_id, person.user_id):
        raise ScimError(
            412, f"Could not remove {person.name} from {provider.group_name}. Cannot remove last group owner."
        )
    leave_hierarchy(tx, provider.group_id, person.user_id)
    unassign_user_later(tx, person.user_id)
    return True


def _levels(tx: Connection, group_id: int, user_id: int) -> dict[int | None, int]:
    """The person's direct levels in the hierarchy by group; those in projects under None."""
    inside = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == group_id)
    project_ids = select(projects.c.id).where(projects.c.namespace_id.in_(inside))
    rows = tx.execute(
        select(members.c.group_id, members.c.access_level).where(
            members.c.user_id == user_id, members.c.group_id.in_(inside) | members.c.project_id.in_(project_ids)
        )
    )
    return {row.group_id: row.access_level for row in rows}
