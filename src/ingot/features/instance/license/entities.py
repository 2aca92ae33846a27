"""The licence on the wire."""

from datetime import date, datetime

from ingot.kit.entity import Entity


class Licensee(Entity):
    """Whom a licence was sold to: nobody here."""

    Name: str = ""
    Company: str = ""
    Email: str = ""


class License(Entity, kw_only=True):
    """The tier of the server, in the form of GitLab's licences. It never ends, and limits nobody."""

    id: int
    plan: str
    created_at: datetime
    starts_at: date
    expires_at: date | None = None
    historical_max: int
    maximum_user_count: int
    expired: bool = False
    overage: int = 0
    user_limit: int = 0
    active_users: int
    licensee: Licensee
    add_ons: dict[str, int]
