"""The first start: the administrator `root`, a first token, and a link that lets them in."""

import msgspec
from sqlalchemy import select

from ingot.features.people.users import create_user
from ingot.identity import tokens
from ingot.identity.sign_in_links import create_sign_in_path
from ingot.identity.tables import personal_access_tokens, users
from ingot.kit.db import take_turn
from ingot.kit.services import Services


class FirstStart(msgspec.Struct, frozen=True):
    """Secrets that are shown once."""

    token: str
    sign_in_path: str


def ensure_root(services: Services) -> FirstStart | None:
    """Create `root` if it is missing; returns the new token and sign-in path, or None."""
    fixed = services.settings.root_token or None
    with services.db.write() as tx:
        take_turn(tx, "first start")
        root = tx.execute(select(users.c.id).where(users.c.username_lower == "root")).scalar_one_or_none()
        created = root is None
        if root is None:
            root = create_user(tx, username="root", name="Administrator", email="admin@example.com", is_admin=True)
        if fixed is not None:
            digest = tokens.digest(fixed)
            known = tx.execute(
                select(personal_access_tokens.c.id).where(personal_access_tokens.c.digest == digest)
            ).first()
            if known is not None:
                return None
        elif not created:
            return None
        token = tokens.create(tx, root, "first token", list(tokens.SCOPES), value=fixed)[1]
        return FirstStart(token, create_sign_in_path(tx, root))
