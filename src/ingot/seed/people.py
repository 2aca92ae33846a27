"""The users of the demo, created as the administrator."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from sqlalchemy import delete, select

from ingot import app as composition
from ingot.identity import tokens
from ingot.identity.tables import personal_access_tokens, users
from ingot.kit.services import Services
from ingot.seed.inside import Inside

NAMES = {"ada": "Ada Lind", "ben": "Ben Okoro", "chloe": "Chloé Martin", "dai": "Dai Nakamura"}
ROLES = {"ada": "Owner", "ben": "Maintainer", "chloe": "Developer", "dai": "Reporter"}
TOKEN_NAME = "planting the demo world"


@dataclass(frozen=True, slots=True)
class Person:
    """A user of the demo, with password and token."""

    id: int
    username: str
    role: str
    password: str
    token: str


@contextmanager
def inside_as_root(services: Services) -> Iterator[Inside]:
    """Call the API as the administrator, with a token that lasts for the block."""
    with services.db.write() as tx:
        root = tx.execute(select(users.c.id).where(users.c.username_lower == "root")).scalar_one()
        token = tokens.create(tx, root, TOKEN_NAME, ["api", "sudo"])[1]
    # An application of its own: what it starts has ended before the server begins. None of its requests is waited for.
    own = composition.build_services(replace(services.settings, slow_request=0))
    try:
        yield Inside(composition.build(own), token)
    finally:
        own.pools.close()
        own.db.dispose()
        with services.db.write() as tx:
            tx.execute(delete(personal_access_tokens).where(personal_access_tokens.c.name == TOKEN_NAME))


def make_people(root: Inside) -> dict[str, Person]:
    """Four people with passwords and tokens of their own."""
    return {username: _make_person(root, username, name) for username, name in NAMES.items()}


def _make_person(root: Inside, username: str, name: str) -> Person:
    password, email = secrets.token_urlsafe(9), f"{username}@example.com"
    user = root.post("/users", username=username, name=name, email=email, password=password, skip_confirmation=True)
    token = root.post(f"/users/{user['id']}/personal_access_tokens", name="demo", scopes=["api", "write_repository"])
    return Person(user["id"], username, ROLES[username], password, token["token"])
