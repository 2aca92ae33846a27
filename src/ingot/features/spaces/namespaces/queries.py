"""Reading namespaces: those of the caller, and whether a path is free."""

from typing import Any

from sqlalchemy import Connection, Select, or_, select

from ingot.access.levels import NO_ACCESS, OWNER
from ingot.access.namespaces import namespace_level, namespace_rights
from ingot.access.tables import namespaces
from ingot.access.visibility import is_let_in
from ingot.features.spaces.namespaces.params import ListNamespaces
from ingot.kit.actor import Actor
from ingot.kit.letter_case import contains, lowered


def namespaces_of(actor: Actor, options: ListNamespaces) -> Select[Any]:
    """The caller's groups and personal namespace; for administrators all."""
    level = namespace_level(actor)
    query = (
        select(*namespaces.c, level)
        .select_from(namespace_rights(actor))
        .where(namespaces.c.pending_delete.is_(False), *is_let_in(actor, namespaces.c.id))
        .order_by(namespaces.c.id)
    )
    if options.owned_only:
        query = query.where(level.element >= OWNER)
    elif not actor.is_admin:
        query = query.where(level.element > NO_ACCESS)
    if options.top_level_only:
        query = query.where(namespaces.c.parent_id.is_(None))
    return by_search(query, options)


def by_search(query: Select[Any], options: ListNamespaces) -> Select[Any]:
    """Part of the name or path, or of the full path where asked."""
    if not options.search:
        return query
    search = options.search.lower()
    path = namespaces.c.full_path_lower if options.full_path_search else lowered(namespaces.c.path, search)
    return query.where(or_(contains(namespaces.c.name, search), path.contains(search, autoescape=True)))


def similar_paths(conn: Connection, full_path: str) -> set[str]:
    """The lower-case full paths of namespaces that begin like this one."""
    query = select(namespaces.c.full_path_lower).where(
        namespaces.c.full_path_lower.startswith(full_path.lower(), autoescape=True)
    )
    return set(conn.execute(query).scalars())


def first_free(taken: set[str], path: str, prefix: str) -> str:
    """The path with the lowest number that nobody has."""
    number = 1
    while f"{prefix}{path}{number}".lower() in taken:
        number += 1
    return f"{path}{number}"
