"""What a query reads: records and pages of the REST endpoints, at most so many in one query."""

import base64
import binascii
from collections.abc import Iterable
from datetime import datetime
from typing import TypeVar

import msgspec
from graphql import GraphQLError
from sqlalchemy import select

from ingot.graphql.arguments import Window
from ingot.graphql.filters import Values
from ingot.graphql.records import Connection, Edge, PageInfo, Person
from ingot.identity.tables import users
from ingot.kit.errors import ApiError
from ingot.kit.large_counts import COUNT_LIMIT
from ingot.web.call import PageCall, Rows

MOST_ASKS = 20
MOST_ITEMS = 100  # of a page
# A page number beyond all counted entries: only the count is loaded.
ONLY_COUNT: Values = {"page": str(COUNT_LIMIT + 1), "per_page": "1"}

T = TypeVar("T")


class Reading:
    """One query: the caller, and what it has read so far."""

    def __init__(self, call: PageCall) -> None:
        self.call = call
        self._left = MOST_ASKS
        self._people: set[int] = set()
        self._created: dict[int, datetime | None] = {}

    def one(self, kind: type[T], address: str, **values: object) -> T | None:
        """The record at an address; None where the caller cannot see it, or it has moved."""
        self._count()
        try:
            record = self.call.ask_or_none(address, **values)
        except ApiError as error:
            if error.status != 301:
                raise
            return None
        return None if record is None else msgspec.convert(record, kind)

    def page(self, kind: type[T], address: str, window: Window, values: Values) -> Connection[T] | None:
        """The part of a list that a window names; None where the caller cannot see the list."""
        begin, size = self._part(address, window, values)
        if size == 0:
            rows = self._rows(address, values | ONLY_COUNT)
            if rows is None:
                return None
            # More than lists count lie behind every place in it.
            return connection([], begin, rows.total, has_next=rows.total is None or rows.total > begin)
        number, skipped = begin // size + 1, begin % size
        rows = self._rows(address, values | {"page": str(number), "per_page": str(size)})
        if rows is None:
            return None
        items, has_next = rows.items[skipped:], rows.next_page is not None
        if skipped and has_next:
            # A page that begins elsewhere lies in two pages of the list.
            following = self._rows(address, values | {"page": str(number + 1), "per_page": str(size)})
            more = following.items if following is not None else []
            items += more[:skipped]
            has_next = len(more) > skipped or (following is not None and following.next_page is not None)
        return connection(msgspec.convert(items, list[kind]), begin, rows.total, has_next=has_next)  # type: ignore[valid-type]

    def meet(self, people: Iterable[Person | None]) -> None:
        """People of a page, of whom more may be asked."""
        self._people |= {person.id for person in people if person is not None}

    def created_at(self, user_id: int) -> datetime | None:
        """When a person's account was made: for all people of the query at once."""
        if self.call.actor.is_anonymous:
            return None
        missing = (self._people | {user_id}) - self._created.keys()
        if missing:
            shown = users.c.private_profile.is_(False) | (users.c.id == self.call.actor.user_id)
            statement = select(users.c.id, users.c.created_at).where(users.c.id.in_(missing), shown)
            self._created |= dict.fromkeys(missing)
            self._created |= {row.id: row.created_at for row in self.call.conn.execute(statement)}
        return self._created[user_id]

    def _rows(self, address: str, values: Values) -> Rows | None:
        self._count()
        try:
            return self.call.ask_rows_or_none(address, **values)
        except ApiError as error:
            if error.status != 400:
                raise
            raise GraphQLError(error.text) from None

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise GraphQLError(f"Query reads more than {MOST_ASKS} records and lists")

    def _part(self, address: str, window: Window, values: Values) -> tuple[int, int]:
        """Where the part begins, and how long it is at most."""
        first, last = window.first, window.last
        if (first or 0) < 0 or (last or 0) < 0:
            raise GraphQLError("first and last cannot be negative")
        begin = _position(window.after) + 1 if window.after else 0
        end = _position(window.before) if window.before else None
        size = min(MOST_ITEMS, MOST_ITEMS if first is None else first)
        if last is not None and first is None:
            size = min(last, MOST_ITEMS)
            end = self._length(address, values) if end is None else end
            begin = max(begin, end - size)
        return begin, size if end is None else max(0, min(size, end - begin))

    def _length(self, address: str, values: Values) -> int:
        rows = self._rows(address, values | ONLY_COUNT)
        if rows is not None and rows.total is None:
            raise GraphQLError("last needs before in a list of this length")
        return 0 if rows is None else rows.total or 0


def connection(items: list[T], begin: int, total: int | None, *, has_next: bool) -> Connection[T]:
    """A page of a list, from its entries and their place."""
    edges = [Edge(_cursor(begin + at), item) for at, item in enumerate(items)]
    start, end = (edges[0].cursor, edges[-1].cursor) if edges else (None, None)
    return Connection(total, edges, PageInfo(has_next, begin > 0, start, end))


def _cursor(position: int) -> str:
    return base64.urlsafe_b64encode(b"at:%d" % position).decode()


def _position(cursor: str) -> int:
    try:
        word, _, digits = base64.urlsafe_b64decode(cursor.encode()).partition(b":")
    except (ValueError, binascii.Error):
        word, digits = b"", b""
    if word != b"at" or not digits.isdigit() or len(digits) > 9:
        raise GraphQLError("cursor is invalid")
    return int(digits)
