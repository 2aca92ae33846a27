"""Avatars of topics, at the address in `avatar_url`."""

from collections.abc import Mapping
from functools import partial

from sqlalchemy import Connection, select
from starlette.routing import Route

from ingot.features.people.avatars import picture_route
from ingot.features.spaces.projects import topics
from ingot.features.spaces.topics.queries import visible_topics
from ingot.kit.actor import Actor
from ingot.kit.blobs.references import refers_to_blobs
from ingot.kit.services import Services

refers_to_blobs("avatars/", partial(select, topics.c.avatar))


def pages(services: Services) -> list[Route]:
    """Everyone who sees the topic sees its avatar."""
    return [picture_route(services, "/uploads/-/system/projects/topic/avatar/{id:int}/{filename}", _key)]


def _key(conn: Connection, actor: Actor, place: Mapping[str, object]) -> str | None:
    row = conn.execute(visible_topics(actor).where(topics.c.id == place["id"])).one_or_none()
    return None if row is None else row.avatar
