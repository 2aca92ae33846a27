"""Projects with file templates: a group chooses one of its own, or one shared with it."""

from sqlalchemy import ColumnElement, Connection, and_, or_, select

from ingot.access.rows import NamespaceRow
from ingot.access.tables import namespace_ancestors, namespaces, project_group_links, projects
from ingot.access.visibility import visible_projects
from ingot.kit.actor import Actor


def file_template_problems(
    tx: Connection, actor: Actor, group: NamespaceRow, project_id: int | None
) -> dict[str, list[str]]:
    """Problems of a group's choice; the caller must be able to see the project."""
    if project_id is None:
        return {}
    query = select(projects.c.id).where(projects.c.id == project_id, _belongs_to(group.id), visible_projects(actor))
    return {} if tx.execute(query).first() is not None else {"file_template_project_id": ["is invalid"]}


def file_template_projects(conn: Connection, namespace_id: int) -> list[int]:
    """Ids of the projects whose file templates hold in a namespace, those of the nearest group first."""
    tree = namespace_ancestors
    groups = conn.execute(
        select(namespaces.c.id, namespaces.c.settings)
        .join_from(tree, namespaces, namespaces.c.id == tree.c.ancestor_id)
        .where(tree.c.namespace_id == namespace_id)
        .order_by(tree.c.depth)
    )
    chosen = {row.id: row.settings.get("file_template_project_id") for row in groups}
    chosen = {group_id: project_id for group_id, project_id in chosen.items() if project_id is not None}
    if not chosen:
        return []
    # A project may have left the group since it was chosen.
    pairs = [and_(projects.c.id == project_id, _belongs_to(group_id)) for group_id, project_id in chosen.items()]
    present = set(conn.execute(select(projects.c.id).where(or_(*pairs))).scalars())
    return [project_id for project_id in dict.fromkeys(chosen.values()) if project_id in present]


def _belongs_to(group_id: int) -> ColumnElement[bool]:
    shared = select(project_group_links.c.project_id).where(project_group_links.c.group_id == group_id)
    return or_(projects.c.namespace_id == group_id, projects.c.id.in_(shared))
