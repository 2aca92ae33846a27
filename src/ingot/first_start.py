"""The first start: the administrator `root` and a first token."""

from sqlalchemy import select

from ingot.features.people.users import create_user
from ingot.identity import tokens
from ingot.identity.tables import personal_access_tokens, users
from ingot.kit.db import take_turn
from ingot.kit.services import Services


def ensure_root(services: Services) -> str | None:
    """Make `root` where there is none; returns the new token's clear value, or None when nothing was made."""
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
        return tokens.create(tx, root, "first token", list(tokens.SCOPES), value=fixed)[1]
