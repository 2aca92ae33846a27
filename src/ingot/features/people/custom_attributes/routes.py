"""Endpoints of custom attributes, for administrators: the same four for groups, projects and users."""

from typing import Any

from sqlalchemy import Table, select

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR
from ingot.access.subjects import get_group, get_project
from ingot.features.people.custom_attributes.queries import CustomAttribute, attributes_by_owner, owner_column
from ingot.features.people.custom_attributes.tables import (
    group_custom_attributes,
    project_custom_attributes,
    user_custom_attributes,
)
from ingot.identity.tables import users
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import NotFound, RecordNotFound
from ingot.kit.params import Param, Params
from ingot.kit.upsert import upsert

routes = Routes("Custom attributes", guard=ADMINISTRATOR)


class SetAttribute(Params):
    """The value."""

    key: str = Param("The attribute's key.", required=True)
    value: str = Param("The attribute's value.", required=True, default="")


class OfUser(Params):
    """A user by id."""

    id: int = Param("The user's id.", required=True)


class SetUserAttribute(SetAttribute, OfUser):
    """The value."""


@routes.get("/groups/{id}/custom_attributes", returns=list[CustomAttribute])
def list_group_custom_attributes(call: Call) -> Answer:
    """All custom attributes of a group."""
    return _list(call, group_custom_attributes, _group_id(call))


@routes.get("/groups/{id}/custom_attributes/{key}", returns=CustomAttribute)
def get_group_custom_attribute(call: Call) -> Answer:
    """One custom attribute of a group."""
    return _get(call, group_custom_attributes, _group_id(call))


@routes.put("/groups/{id}/custom_attributes/{key}", params=SetAttribute, returns=CustomAttribute)
def set_group_custom_attribute(call: Call[SetAttribute]) -> Answer:
    """Set a custom attribute of a group; a new key is created."""
    return _set(call, group_custom_attributes, _group_id(call))


@routes.delete("/groups/{id}/custom_attributes/{key}")
def delete_group_custom_attribute(call: Call) -> Answer:
    """Remove a custom attribute from a group."""
    _delete(call, group_custom_attributes, _group_id(call))


@routes.get("/projects/{id}/custom_attributes", returns=list[CustomAttribute])
def list_project_custom_attributes(call: Call) -> Answer:
    """All custom attributes of a project."""
    return _list(call, project_custom_attributes, _project_id(call))


@routes.get("/projects/{id}/custom_attributes/{key}", returns=CustomAttribute)
def get_project_custom_attribute(call: Call) -> Answer:
    """One custom attribute of a project."""
    return _get(call, project_custom_attributes, _project_id(call))


@routes.put("/projects/{id}/custom_attributes/{key}", params=SetAttribute, returns=CustomAttribute)
def set_project_custom_attribute(call: Call[SetAttribute]) -> Answer:
    """Set a custom attribute of a project; a new key is created."""
    return _set(call, project_custom_attributes, _project_id(call))


@routes.delete("/projects/{id}/custom_attributes/{key}")
def delete_project_custom_attribute(call: Call) -> Answer:
    """Remove a custom attribute from a project."""
    _delete(call, project_custom_attributes, _project_id(call))


@routes.get("/users/{id}/custom_attributes", params=OfUser, returns=list[CustomAttribute])
def list_user_custom_attributes(call: Call[OfUser]) -> Answer:
    """All custom attributes of a user."""
    return _list(call, user_custom_attributes, _user_id(call))


@routes.get("/users/{id}/custom_attributes/{key}", params=OfUser, returns=CustomAttribute)
def get_user_custom_attribute(call: Call[OfUser]) -> Answer:
    """One custom attribute of a user."""
    return _get(call, user_custom_attributes, _user_id(call))


@routes.put("/users/{id}/custom_attributes/{key}", params=SetUserAttribute, returns=CustomAttribute)
def set_user_custom_attribute(call: Call[SetUserAttribute]) -> Answer:
    """Set a custom attribute of a user; a new key is created."""
    return _set(call, user_custom_attributes, _user_id(call))


@routes.delete("/users/{id}/custom_attributes/{key}", params=OfUser)
def delete_user_custom_attribute(call: Call[OfUser]) -> Answer:
    """Remove a custom attribute from a user."""
    _delete(call, user_custom_attributes, _user_id(call))


def _group_id(call: Call) -> int:
    return int(get_group(call.conn, call.actor, call.path["id"]).id)


def _project_id(call: Call) -> int:
    return int(get_project(call.conn, call.actor, call.path["id"]).id)


def _user_id(call: Call[OfUser]) -> int:
    value = call.conn.execute(select(users.c.id).where(users.c.id == call.params.id)).scalar_one_or_none()
    if value is None:
        raise NotFound("User")
    return int(value)


def _place(call: Call, table: Table, owner_id: int) -> Any:
    return (owner_column(table) == owner_id) & (table.c.key == call.path["key"])


def _list(call: Call, table: Table, owner_id: int) -> list[CustomAttribute]:
    return attributes_by_owner(call.conn, table, [owner_id])[owner_id]


def _get(call: Call, table: Table, owner_id: int) -> CustomAttribute:
    row = call.conn.execute(select(table).where(_place(call, table, owner_id))).one_or_none()
    if row is None:
        raise RecordNotFound
    return CustomAttribute(key=row.key, value=row.value)


def _set(call: Call[SetAttribute], table: Table, owner_id: int) -> CustomAttribute:
    key, value = call.params.key, call.params.value
    with call.write() as tx:
        row = {owner_column(table).name: owner_id, "key": key, "value": value}
        remaining = upsert(tx.dialect.name, table).values(row)
        tx.execute(remaining.on_conflict_do_update(index_elements=list(table.primary_key), set_={"value": value}))
    return CustomAttribute(key=key, value=value)


def _delete(call: Call, table: Table, owner_id: int) -> None:
    # Attributes have no timestamp: their owner's counts.
    [owner] = (key.column for key in owner_column(table).foreign_keys)
    with call.write() as tx:
        call.require_rows_unmodified(tx, owner.table, owner == owner_id)
        gone = call.delete_rows(tx, table, _place(call, table, owner_id))
    if not gone:
        raise RecordNotFound
