"""Cron expressions of five fields, with names, lists, ranges and steps, in any time zone."""

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

import msgspec

from ingot.kit.patterns import pattern

_MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAY_NAMES = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES, 1)}
_DAYS = {name: number for number, name in enumerate(_DAY_NAMES)}
_NICKNAMES = {
    "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
}  # fmt: skip
_ZONE_NAMES = {
    "Eastern Time (US & Canada)": "America/New_York",
    "Central Time (US & Canada)": "America/Chicago",
    "Mountain Time (US & Canada)": "America/Denver",
    "Pacific Time (US & Canada)": "America/Los_Angeles",
    "Atlantic Time (Canada)": "America/Halifax",
    "Alaska": "America/Juneau",
    "Hawaii": "Pacific/Honolulu",
    "New Delhi": "Asia/Kolkata",
    "Mumbai": "Asia/Kolkata",
    "Beijing": "Asia/Shanghai",
    "Edinburgh": "Europe/London",
    "Bern": "Europe/Zurich",
    "St. Petersburg": "Europe/Moscow",
    "Osaka": "Asia/Tokyo",
}
_PART = pattern(r"(\*|\?|[a-z0-9]+(?:-[a-z0-9]+)?)(?:/(\d{1,4}))?")
_YEARS_AHEAD = 28  # a February 29th on a given weekday comes back within 28 years


class BadCron(ValueError):
    """The text is not a cron expression."""


class Cron(msgspec.Struct, frozen=True):
    """A parsed expression."""

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]  # 0 is Sunday
    any_day: bool
    any_weekday: bool

    def next_after(self, moment: datetime, zone: ZoneInfo) -> datetime | None:
        """The first moment after the given one; None when there is none (February 30th)."""
        local = moment.astimezone(zone)
        day = local.date()
        last = day + timedelta(days=366 * _YEARS_AHEAD)
        while day <= last:
            if day.month not in self.months:
                day = _next_month(day)
                continue
            if self._has_day(day):
                for hour in self.hours:
                    for minute in self.minutes:
                        result = datetime.combine(day, time(hour, minute), zone).astimezone(UTC)
                        if result > moment:
                            return result
            day += timedelta(days=1)
        return None

    def last_before(self, moment: datetime, zone: ZoneInfo) -> datetime | None:
        """The last moment up to the given one; None when there was none."""
        day = moment.astimezone(zone).date()
        first = day - timedelta(days=366 * _YEARS_AHEAD)
        while day >= first:
            if day.month not in self.months:
                day = day.replace(day=1) - timedelta(days=1)
                continue
            if self._has_day(day):
                for hour in reversed(self.hours):
                    for minute in reversed(self.minutes):
                        result = datetime.combine(day, time(hour, minute), zone).astimezone(UTC)
                        if result <= moment:
                            return result
            day -= timedelta(days=1)
        return None

    def _has_day(self, day: date) -> bool:
        in_month, in_week = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        # With both fields restricted, either is enough, as in every cron.
        if self.any_day or self.any_weekday:
            return in_month and in_week
        return in_month or in_week


def parse_cron(text: str) -> Cron:
    """Raises `BadCron`."""
    words = _NICKNAMES.get(text.strip().lower(), text).lower().split()
    if len(words) != 5:
        raise BadCron(text)
    minutes, hours, days, months, weekdays = words
    result = Cron(
        minutes=tuple(sorted(_field(minutes, 0, 59, {}))),
        hours=tuple(sorted(_field(hours, 0, 23, {}))),
        days=frozenset(_field(days, 1, 31, {})),
        months=frozenset(_field(months, 1, 12, _MONTHS)),
        weekdays=frozenset(number % 7 for number in _field(weekdays, 0, 7, _DAYS)),
        any_day=days[0] in "*?",
        any_weekday=weekdays[0] in "*?",
    )
    if result.next_after(datetime.now(UTC), ZoneInfo("UTC")) is None:
        raise BadCron(text)
    return result


def _field(text: str, low: int, high: int, names: dict[str, int]) -> set[int]:
    result: set[int] = set()
    for part in text.split(","):
        match = _PART.fullmatch(part)
        if match is None:
            raise BadCron(part)
        span, step = match.groups()
        if span in ("*", "?"):
            first, last = low, high
        else:
            begin, dash, end = span.partition("-")
            first = _number(begin, names)
            last = _number(end, names) if dash else (high if step else first)
        if not (low <= first <= last <= high) or step == "0":
            raise BadCron(part)
        result.update(range(first, last + 1, int(step or 1)))
    return result


def _number(text: str, names: dict[str, int]) -> int:
    if text in names:
        return names[text]
    if not text.isdecimal() or len(text) > 2:
        raise BadCron(text)
    return int(text)


def _next_month(day: date) -> date:
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)


@lru_cache(maxsize=256)
def find_zone(name: str) -> ZoneInfo | None:
    """A time zone by its database name, or by a city or region as people write it (`Berlin`)."""
    known = available_timezones()
    if name in known:
        return ZoneInfo(name)
    if name in _ZONE_NAMES:
        return ZoneInfo(_ZONE_NAMES[name])
    city = "/" + name.replace(" ", "_")
    result = sorted(zone for zone in known if zone.endswith(city) and not zone.startswith("posix/"))
    return ZoneInfo(result[0]) if result and len(name) > 2 else None
