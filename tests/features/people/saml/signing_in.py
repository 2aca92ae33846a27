"""What tests of signing in look at: people, roles, and how many rows there are."""

from collections.abc import Callable

from sqlalchemy import func, select

from ingot.access.tables import members
from ingot.features.people.saml.tables import saml_pending_links, saml_used_assertions
from ingot.identity.tables import identities, sessions, users
from tests.features.people.saml.conftest import SamlGroup
from tests.support.world import World

MakeGroup = Callable[..., SamlGroup]
TOKENS = "/-/user_settings/personal_access_tokens"


def counts(world: World) -> dict[str, int]:
    """How many rows there are of everything that a sign-in could make."""
    tables = (users, identities, members, sessions, saml_used_assertions, saml_pending_links)
    with world.server.services.db.read() as conn:
        return {table.name: conn.execute(select(func.count()).select_from(table)).scalar_one() for table in tables}


def person(world: World, username: str) -> dict:
    return world.admin.get("/users", username=username).json()[0]


def role(world: World, group_id: int, user_id: int) -> int | None:
    with world.server.services.db.read() as conn:
        return conn.execute(
            select(members.c.access_level).where(members.c.group_id == group_id, members.c.user_id == user_id)
        ).scalar_one_or_none()


def about(name: str, *groups: str) -> dict[str, list[str]]:
    result = {"email": [f"{name}@acme.example"], "first_name": [name.title()], "last_name": ["Doe"]}
    return {**result, "Groups": list(groups)} if groups else result
