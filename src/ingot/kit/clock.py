"""The time, in one place: always aware, always UTC, microseconds inside, whole seconds on the wire."""

from datetime import UTC, date, datetime, timedelta


def now() -> datetime:
    """This moment in UTC."""
    return datetime.now(UTC)


def today() -> date:
    """The current UTC date."""
    return now().date()


def wire(moment: datetime) -> datetime:
    """The moment as answers show it: UTC, without a fraction."""
    if moment.tzinfo is not UTC:
        moment = moment.astimezone(UTC)
    return moment.replace(microsecond=0) if moment.microsecond else moment


def wire_or_none(moment: datetime | None) -> datetime | None:
    """As `wire`, passing an absent moment through."""
    return None if moment is None else wire(moment)


def through(moment: datetime) -> datetime:
    """The last instant that an upper bound covers: without a fraction it means the whole second."""
    return moment if moment.microsecond else moment + timedelta(microseconds=999_999)
