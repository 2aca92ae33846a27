"""Endpoints of labels."""

from ingot.access.call import Call
from ingot.access.subjects import get_group
from ingot.features.planning.labels import commands, queries
from ingot.features.planning.labels.entities import Label, present
from ingot.features.planning.labels.params import (
    CreateGroupLabel,
    CreateLabel,
    GetLabel,
    ListGroupLabels,
    ListLabels,
    NamedLabel,
    UpdateGroupLabel,
    UpdateLabel,
    UpdateNamedGroupLabel,
    UpdateNamedLabel,
)
from ingot.features.planning.labels.policy import ADMIN_GROUP_LABELS, ADMIN_LABELS, READ_GROUP_LABELS, READ_LABELS
from ingot.features.planning.labels.rows import LabelRow
from ingot.features.planning.labels.tables import labels
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import BadRequest, Invalid, NotFound

routes = Routes("Labels")


def _find(call: Call, *, own_only: bool = False) -> LabelRow:
    if call.project_or_none is not None:
        ancestors = not own_only and getattr(call.params, "include_ancestor_groups", True)
        condition = queries.usable_in_project(call.project, ancestors=ancestors)
    else:
        condition = labels.c.group_id == call.group.id
    row = queries.find_in(call.conn, condition, _label_name_or_id(call))
    if row is None:
        raise NotFound("Label")
    return row


def _label_name_or_id(call: Call) -> str:
    """The label of the path, or in the older form the one that the body names."""
    if "label_id" in call.path:
        return call.path["label_id"]
    options = call.params
    if not isinstance(options, NamedLabel):
        raise TypeError("this endpoint names no label")
    return str(options.name if options.label_id is None else options.label_id)


def _changes(call: Call[UpdateGroupLabel]) -> commands.LabelChanges:
    options, changes = call.params, commands.LabelChanges()
    if "new_name" in options.sent:
        changes["new_name"] = options.new_name
    if "color" in options.sent:
        changes["color"] = options.color
    if "description" in options.sent:
        changes["description"] = options.description
    return changes


def _again(call: Call, label_id: int) -> Label:
    row = call.conn.execute(labels.select().where(labels.c.id == label_id)).one()
    return present(call, [row])[0]


def _check_priority(call: Call[CreateLabel | UpdateLabel]) -> None:
    if (priority := call.params.priority) is not None and priority < 0:
        raise Invalid({"priority": ["must be greater than or equal to 0"]})


@routes.get("/projects/{id}/labels", guard=READ_LABELS, params=ListLabels, returns=list[Label])
def list_project_labels(call: Call[ListLabels]) -> Answer:
    """Labels that can be used in a project: its own and those of the groups above."""
    options = call.params
    result = queries.in_project(call.project, ancestors=options.include_ancestor_groups, search=options.search)
    return call.page(result, present)


@routes.get("/projects/{id}/labels/{label_id}", guard=READ_LABELS, params=GetLabel, returns=Label)
def get_project_label(call: Call[GetLabel]) -> Answer:
    """One label, by id or name."""
    return present(call, [_find(call)])[0]


@routes.post("/projects/{id}/labels", guard=ADMIN_LABELS, params=CreateLabel, returns=Label, errors=(409,))
def create_project_label(call: Call[CreateLabel]) -> Answer:
    """Create a label in a project."""
    options = call.params
    _check_priority(call)
    with call.write() as tx:
        created = commands.create_label(tx, options.name, options.color, options.description, project=call.project)
        if options.priority is not None:
            commands.set_priority(tx, call.project.id, created, options.priority)
    return _again(call, created)


def _update(call: Call[UpdateLabel]) -> Label:
    _check_priority(call)
    changes = _changes(call)
    row = _find(call, own_only=bool(changes))
    with call.write() as tx:
        if changes:
            commands.update_label(tx, row, changes)
        if "priority" in call.params.sent:
            commands.set_priority(tx, call.project.id, row.id, call.params.priority)
    return _again(call, row.id)


def _delete(call: Call) -> None:
    row = _find(call, own_only=True)
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        commands.delete_label(tx, row.id)


@routes.put("/projects/{id}/labels/{label_id}", guard=ADMIN_LABELS, params=UpdateLabel, returns=Label)
def update_project_label(call: Call[UpdateLabel]) -> Answer:
    """Change a label of a project; the priority of a group label can be changed here too."""
    return _update(call)


@routes.put("/projects/{id}/labels", guard=ADMIN_LABELS, params=UpdateNamedLabel, returns=Label)
def update_named_project_label(call: Call[UpdateNamedLabel]) -> Answer:
    """Change a label of a project that the body names (the older form)."""
    return _update(call)


@routes.delete("/projects/{id}/labels", guard=ADMIN_LABELS, params=NamedLabel)
def delete_named_project_label(call: Call[NamedLabel]) -> None:
    """Delete a label of a project that a parameter names (the older form)."""
    _delete(call)


@routes.delete("/projects/{id}/labels/{label_id}", guard=ADMIN_LABELS)
def delete_project_label(call: Call) -> None:
    """Delete a label of a project."""
    _delete(call)


@routes.put("/projects/{id}/labels/{label_id}/promote", guard=ADMIN_LABELS, returns=Label)
def promote_project_label(call: Call) -> Answer:
    """Promote a project label to a group label (planners of both)."""
    if call.project.namespace_kind != "group":
        raise BadRequest("Project does not belong to a group")
    ADMIN_GROUP_LABELS.require(call.actor, get_group(call.conn, call.actor, call.project.namespace_id))
    row = _find(call, own_only=True)
    with call.write() as tx:
        commands.promote(tx, row, call.project.namespace_id)
    return _again(call, row.id)


@routes.post("/projects/{id}/labels/{label_id}/subscribe", guard=READ_LABELS, returns=Label, errors=(304,))
def subscribe_to_project_label(call: Call) -> Answer:
    """Subscribe to a label."""
    return _subscribe(call, subscribed=True)


@routes.post("/projects/{id}/labels/{label_id}/unsubscribe", guard=READ_LABELS, returns=Label, errors=(304,))
def unsubscribe_from_project_label(call: Call) -> Answer:
    """Unsubscribe."""
    return _subscribe(call, subscribed=False)


def _subscribe(call: Call, *, subscribed: bool) -> Label:
    row = _find(call)
    with call.write() as tx:
        commands.set_subscription(tx, call.actor.id, row.id, subscribed=subscribed)
    return _again(call, row.id)


@routes.get("/groups/{id}/labels", guard=READ_GROUP_LABELS, params=ListGroupLabels, returns=list[Label])
def list_group_labels(call: Call[ListGroupLabels]) -> Answer:
    """Labels of a group, and of its parent groups by default."""
    return call.page(queries.in_group(call.actor, call.group, call.params), present)


@routes.get("/groups/{id}/labels/{label_id}", guard=READ_GROUP_LABELS, returns=Label)
def get_group_label(call: Call) -> Answer:
    """One label of a group, by id or name."""
    return present(call, [_find(call)])[0]


@routes.post("/groups/{id}/labels", guard=ADMIN_GROUP_LABELS, params=CreateGroupLabel, returns=Label, errors=(409,))
def create_group_label(call: Call[CreateGroupLabel]) -> Answer:
    """Create a label in a group."""
    options = call.params
    with call.write() as tx:
        created = commands.create_label(tx, options.name, options.color, options.description, group_id=call.group.id)
    return _again(call, created)


def _update_of_group(call: Call[UpdateGroupLabel]) -> Label:
    row = _find(call)
    with call.write() as tx:
        commands.update_label(tx, row, _changes(call))
    return _again(call, row.id)


@routes.put("/groups/{id}/labels/{label_id}", guard=ADMIN_GROUP_LABELS, params=UpdateGroupLabel, returns=Label)
def update_group_label(call: Call[UpdateGroupLabel]) -> Answer:
    """Change a label of a group."""
    return _update_of_group(call)


@routes.put("/groups/{id}/labels", guard=ADMIN_GROUP_LABELS, params=UpdateNamedGroupLabel, returns=Label)
def update_named_group_label(call: Call[UpdateNamedGroupLabel]) -> Answer:
    """Change a label of a group that the body names (the older form)."""
    return _update_of_group(call)


@routes.delete("/groups/{id}/labels/{label_id}", guard=ADMIN_GROUP_LABELS)
def delete_group_label(call: Call) -> None:
    """Delete a label of a group."""
    _delete(call)


@routes.delete("/groups/{id}/labels", guard=ADMIN_GROUP_LABELS, params=NamedLabel)
def delete_named_group_label(call: Call[NamedLabel]) -> None:
    """Delete a label of a group that a parameter names (the older form)."""
    _delete(call)


@routes.post("/groups/{id}/labels/{label_id}/subscribe", guard=READ_GROUP_LABELS, returns=Label, errors=(304,))
def subscribe_to_group_label(call: Call) -> Answer:
    """Subscribe to a label."""
    return _subscribe(call, subscribed=True)


@routes.post("/groups/{id}/labels/{label_id}/unsubscribe", guard=READ_GROUP_LABELS, returns=Label, errors=(304,))
def unsubscribe_from_group_label(call: Call) -> Answer:
    """Unsubscribe."""
    return _subscribe(call, subscribed=False)
