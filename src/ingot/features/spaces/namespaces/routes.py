"""Endpoints of namespaces."""

from sqlalchemy import select

from ingot.access.call import Call
from ingot.access.namespaces import find_namespace
from ingot.access.policy import SIGNED_IN
from ingot.access.tables import namespaces
from ingot.features.spaces.namespaces import queries
from ingot.features.spaces.namespaces.entities import Existence, Namespace, present
from ingot.features.spaces.namespaces.params import ListNamespaces, NamespaceExists
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import NotFound

routes = Routes("Namespaces", guard=SIGNED_IN)


@routes.get("/namespaces", params=ListNamespaces, returns=list[Namespace])
def list_namespaces(call: Call[ListNamespaces]) -> Answer:
    """The caller's groups and personal namespace; for administrators all."""
    return call.page(queries.namespaces_of(call.actor, call.params), present)


@routes.get("/namespaces/{id}", returns=Namespace)
def get_namespace(call: Call) -> Answer:
    """One namespace by id or full path."""
    namespace = find_namespace(call.conn, call.actor, call.path["id"])
    if namespace is None:
        raise NotFound("Namespace")
    return present(call, [namespace.row])[0]


@routes.get("/namespaces/{id}/exists", params=NamespaceExists, returns=Existence)
def namespace_exists(call: Call[NamespaceExists]) -> Answer:
    """Whether a path is taken, with a free alternative."""
    path, prefix = call.params.id, ""
    if call.params.parent_id is not None:
        above = select(namespaces.c.full_path).where(namespaces.c.id == call.params.parent_id)
        parent = call.conn.execute(above).scalar_one_or_none()
        if parent is None:
            return Existence(exists=False, suggests=[])
        prefix = f"{parent}/"
    taken = queries.similar_paths(call.conn, f"{prefix}{path}")
    exists = f"{prefix}{path}".lower() in taken
    return Existence(exists=exists, suggests=[queries.first_free(taken, path, prefix)] if exists else [])
