"""Changes that are wanted only while a record is as its reader saw it: `If-Unmodified-Since`."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from starlette.requests import Request

from ingot.kit.coercion import Unfit, to_datetime
from ingot.kit.errors import PreconditionFailed

HEADER = "if-unmodified-since"


def require_unmodified(request: Request, changed_at: datetime | None) -> None:
    """Refuse with 412 when the record changed after the moment that the caller names; an unreadable one is ignored."""
    known = _moment(request.headers.get(HEADER, ""))
    if known is not None and changed_at is not None and changed_at.replace(microsecond=0) > known:
        raise PreconditionFailed


def _moment(text: str) -> datetime | None:
    try:
        return to_datetime(text)
    except Unfit:
        pass
    try:
        result = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    return result.replace(tzinfo=UTC) if result.tzinfo is None else result.astimezone(UTC)
