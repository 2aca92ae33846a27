"""Applications on the wire."""

from collections.abc import Sequence
from typing import Any

from ingot.access.call import Call
from ingot.features.people.oauth.rows import ApplicationRow
from ingot.kit.entity import Entity


class Application(Entity):
    """An application without its secret."""

    id: int
    application_id: str
    application_name: str
    callback_url: str
    confidential: bool


class ApplicationWithSecret(Application):
    """A new application; `secret` is never shown again."""

    secret: str


def application(row: ApplicationRow) -> Application:
    """One application."""
    return Application(**_fields(row))


def application_with_secret(row: ApplicationRow, secret: str) -> ApplicationWithSecret:
    """One application with its secret."""
    return ApplicationWithSecret(**_fields(row), secret=secret)


def _fields(row: ApplicationRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "application_id": row.uid,
        "application_name": row.name,
        "callback_url": row.redirect_uri,
        "confidential": row.confidential,
    }


def present(_: Call, rows: Sequence[ApplicationRow]) -> list[Application]:
    """A page of applications."""
    return [application(row) for row in rows]
