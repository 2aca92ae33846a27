"""Pictures of the look, open to everybody: `/uploads/-/system/appearance/<name>/1/<file>`."""

from collections.abc import Mapping

from sqlalchemy import Connection, select
from starlette.routing import Route

from ingot.features.people.avatars import picture_route
from ingot.features.spaces.appearance.tables import PICTURES, appearances
from ingot.kit.actor import Actor
from ingot.kit.services import Services


def pages(services: Services) -> list[Route]:
    """One route for all pictures."""
    return [picture_route(services, "/uploads/-/system/appearance/{name}/1/{filename}", _key)]


def _key(conn: Connection, _actor: Actor, place: Mapping[str, object]) -> str | None:
    name = str(place["name"])
    if name not in PICTURES:
        return None
    key: str | None = conn.execute(select(appearances.c[name]).where(appearances.c.id == 1)).scalar_one_or_none()
    return key
