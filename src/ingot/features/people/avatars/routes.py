"""Endpoints of avatars of groups and projects; those of users are in `users`."""

from starlette.responses import Response

from ingot.access.call import Call
from ingot.access.policy import READ_GROUP, READ_PROJECT
from ingot.features.people.avatars.images import media_type
from ingot.features.people.avatars.store import read_picture
from ingot.kit.endpoint import Answer, Binary, Routes
from ingot.kit.errors import NotFound

routes = Routes("Avatars")


@routes.get("/groups/{id}/avatar", guard=READ_GROUP, returns=Binary("image/*"), uses_store=True)
def get_group_avatar(call: Call) -> Answer:
    """The avatar of a group."""
    return picture(call, call.group.avatar)


@routes.get("/projects/{id}/avatar", guard=READ_PROJECT, returns=Binary("image/*"), uses_store=True)
def get_project_avatar(call: Call) -> Answer:
    """The avatar of a project."""
    return picture(call, call.project.avatar)


def picture(call: Call, key: str | None) -> Response:
    """The stored image, or 404."""
    if not key:
        raise NotFound("Avatar")
    content = read_picture(call.services, key)
    if content is None:
        raise NotFound("Avatar")
    return picture_response(content)


def picture_response(content: bytes) -> Response:
    """An image response that no browser runs."""
    return Response(
        content,
        media_type=media_type(content[:16]) or "application/octet-stream",
        headers={"Cache-Control": "private, max-age=300", "X-Content-Type-Options": "nosniff"},
    )
