"""Planting the demo world into an instance that has nobody but its administrator."""

from sqlalchemy import func, select

from ingot.features.users import create_user
from ingot.identity.tables import users
from ingot.kit.services import Services

PEOPLE = (("ada", "Ada Lind"), ("ben", "Ben Okoro"), ("chloe", "Chloé Martin"), ("dai", "Dai Nakamura"))


def plant(services: Services) -> bool:
    """Make the world; returns False where somebody lives already."""
    with services.db.write() as tx:
        if tx.execute(select(func.count()).select_from(users)).scalar_one() > 1:
            return False
        for username, name in PEOPLE:
            create_user(tx, username=username, name=name, email=f"{username}@example.com")
    return True
