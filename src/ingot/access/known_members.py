"""Which members non-members may see: not those of hidden groups."""

from typing import Any

from sqlalchemy import CompoundSelect, or_, select, union_all

from ingot.access.rows import ProjectRow
from ingot.access.tables import group_group_links, members, namespace_ancestors, namespaces, project_group_links
from ingot.access.visibility import visible_groups
from ingot.kit.actor import Actor


def known_member_ids(reader: Actor, project: ProjectRow) -> CompoundSelect[Any]:
    """Ids of the owner, of direct and inherited members, and of members of the invited groups that the reader sees."""
    above = namespace_ancestors.alias("above")
    groups_above = select(above.c.ancestor_id).where(above.c.namespace_id == project.namespace_id)
    to_project = select(project_group_links.c.group_id).where(project_group_links.c.project_id == project.id)
    to_groups = select(group_group_links.c.invited_group_id).where(group_group_links.c.group_id.in_(groups_above))
    seen = select(namespaces.c.id).where(
        or_(namespaces.c.id.in_(to_project), namespaces.c.id.in_(to_groups)), visible_groups(reader)
    )
    invited = namespace_ancestors.alias("invited")
    inviting = select(invited.c.ancestor_id).where(invited.c.namespace_id.in_(seen))
    known = select(members.c.user_id).where(
        or_(
            members.c.project_id == project.id,
            members.c.group_id.in_(groups_above),
            members.c.group_id.in_(inviting),
        )
    )
    return union_all(known, select(namespaces.c.owner_id).where(namespaces.c.id == project.namespace_id))
