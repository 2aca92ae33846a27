"""Conditional deletes: `If-Unmodified-Since` refuses to delete what changed after the caller read it."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from ingot.kit import coercion
from ingot.kit.call import Call
from ingot.kit.coercion import Unfit
from ingot.kit.errors import PreconditionFailed


def require_unmodified(call: Call, changed_at: datetime) -> None:
    """Raise 412 when the record changed after the header's moment; a header that is no date is ignored."""
    limit = _moment(call.request.headers.get("if-unmodified-since"))
    # The header and the record as shown have whole seconds.
    if limit is not None and changed_at.replace(microsecond=0) > limit:
        raise PreconditionFailed


def _moment(text: str | None) -> datetime | None:
    if not text:
        return None
    try:
        found = parsedate_to_datetime(text)
    except ValueError:
        try:
            return coercion.to_datetime(text)
        except Unfit:
            return None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found
