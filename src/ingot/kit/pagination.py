"""Offset and keyset pages: one bounded count and one page query, and the headers that clients follow."""

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import msgspec
from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    Integer,
    Row,
    Select,
    and_,
    bindparam,
    func,
    literal,
    or_,
    select,
)
from sqlalchemy.exc import InvalidRequestError

from ingot.kit.coercion import Unfit, to_datetime, to_integer, to_string
from ingot.kit.db import UtcDateTime
from ingot.kit.errors import PaginationNotAllowed, ParamError
from ingot.kit.keyed_pages import (
    Key,
    Place,
    Values,
    backwards,
    beyond,
    decode,
    encode,
    keys_of,
    only_keys,
    values_of,
    with_keys,
)
from ingot.kit.large_counts import COUNT_LIMIT, MARGIN, count_up_to_limit, is_known_large
from ingot.kit.page_links import ListCall, PageLinks
from ingot.kit.page_pieces import C, ListRows, Pieces, Present, R
from ingot.kit.page_rows import PageRows
from ingot.kit.statements.long_texts import LongTexts, refusing_long_texts

MAX_PER_PAGE = 100
DEFAULT_PER_PAGE = 20
OFFSET_LIMIT = 50_000
MOSTLY_ALL = 50  # entries a page: who asks for so many mostly gets all there are
LONGEST_LINKS = 8_192


class Page(msgspec.Struct, frozen=True):
    """One page: its records and its headers."""

    items: Sequence[object] | Pieces
    headers: dict[str, str]


class Keyset(msgspec.Struct, frozen=True):
    """How a list continues by key: `id_after`/`id_before` (projects), or an opaque `cursor`.

    A column that is not unique needs `tie`, the id column that settles equal values.
    """

    column: ColumnElement[Any]
    descending: bool
    by_cursor: bool = True
    label: str = "id"  # the column's name in the fetched rows
    available: bool = True  # False: keyset pagination does not support this order
    tie: ColumnElement[Any] | None = None


def per_page_of(call: ListCall) -> int:
    """The effective page size: capped at what the list allows, the default when negative."""
    per_page = int(call.params.per_page)
    return DEFAULT_PER_PAGE if per_page < 0 else min(per_page, getattr(call.params, "most_per_page", MAX_PER_PAGE))


def page_of(call: ListCall) -> int:
    """The requested page; zero and negative numbers mean the first."""
    return max(1, int(call.params.page))


def paginate(
    call: C,
    statement: Select[Any],
    present: Present[C, R],
    *,
    keyset: Keyset | None = None,
    limited: str | None = None,
    count: bool = True,
    counted: Select[Any] | CompoundSelect[Any] | None = None,
    values: Mapping[str, object] | None = None,
) -> Page:
    """Run the list. `limited` names the type ("Project") for which the offset limit of 50,000 holds.

    `counted` is another statement with the same rows, where that is cheaper to count. `values` are the named
    parameters of a statement that is kept.
    """
    bound = dict(values or {})
    if keyset is not None and call.params.pagination == "keyset":
        return _keyset_page(call, statement, present, keyset, bound)
    page, per_page = page_of(call), per_page_of(call)
    if limited is not None and page * max(int(call.params.per_page), 1) > OFFSET_LIMIT:
        raise PaginationNotAllowed(
            f"Offset pagination has a maximum allowed offset of {OFFSET_LIMIT} for requests that return objects of type"
            f" {limited}. Remaining records can be retrieved using keyset pagination."
        )
    offset = (page - 1) * per_page
    page_rows = PageRows(call.conn, _part(statement), {**bound, "page_limit": per_page + 1, "page_offset": offset})
    visited: Place | None = getattr(call, "place", None)  # pages of people are at one
    at_beginning = page == 1 and (visited is None or visited.is_beginning)
    total = None
    part = _Part([], 0, None, None)
    reads_first = count and at_beginning and _reads_rows_first(call, per_page)
    if reads_first:
        part = _read_part(call, page_rows, present, per_page)
        total = part.number if part.number <= per_page else None
    is_counted = count and total is None
    goes_together = is_counted and at_beginning and not reads_first
    with _count_sent_with(page_rows, counted, statement, bound) if goes_together else nullcontext():
        if is_counted:
            total = total_of(call.conn, statement, counted, bound)
        if visited is not None and (not visited.is_beginning or (page == 1 and is_counted and total is None)):
            keys = keys_of(statement)
            if keys is not None:
                return _keyed_page(call, statement, present, keys, visited, bound, total)
        if not reads_first and offset <= 2**62 and (total is None or offset < total):
            part = _read_part(call, page_rows, present, per_page)
    has_more = part.number > per_page
    return Page(part.items, offset_headers(call, page, per_page, total, has_more=has_more, empty=not part.number))


def count_query(statement: Select[Any], counted: Select[Any] | CompoundSelect[Any] | None) -> Select[Any]:
    """What `total_of` asks, in most cases."""
    return _counting(_bare(statement) if counted is None else counted)


def total_of(
    conn: Connection,
    statement: Select[Any],
    counted: Select[Any] | CompoundSelect[Any] | None,
    values: Mapping[str, object],
) -> int | None:
    """How many rows a list has; None where these are more than are counted."""
    bound = dict(values)
    number = _count(conn, statement, bound) if counted is None else _count_rows(conn, counted, bound)
    return None if number > COUNT_LIMIT else number


def _reads_rows_first(call: ListCall, per_page: int) -> bool:
    """Pages of people count only what does not fit on one.

    To ask a server twice takes longer than to let it count, unless the list hardly ever fills its page.
    """
    return getattr(call, "rows_first", False) and (call.conn.dialect.name == "sqlite" or per_page >= MOSTLY_ALL)


class _Part(NamedTuple):
    """The records of a page; the number of its rows, with one beyond its end; the first and last that are shown."""

    items: Sequence[object] | Pieces
    number: int
    first: Any
    last: Any


def _read_part(call: C, page_rows: PageRows, present: Present[C, R], per_page: int) -> _Part:
    """Everything at once, unless it is very much text."""
    try:
        rows = page_rows.load()
        shown = rows[:per_page]
        with refusing_long_texts():
            # A page without rows needs no further queries.
            items = present(call, shown) if shown else []
        return _Part(items, len(rows), shown[0] if shown else None, shown[-1] if shown else None)
    except LongTexts:
        pass  # outside of this block, nothing of it is in memory any more
    number = page_rows.count()
    shown_number = min(number, per_page)
    first, last = (next(iter(page_rows.read(at, 1)), None) if shown_number else None for at in (0, shown_number - 1))
    return _Part(Pieces(call, page_rows, present, shown_number), number, first, last)


# Derived statements live as long as their source: for ever, where that is cached.
_parts: WeakKeyDictionary[Select[Any], Select[Any]] = WeakKeyDictionary()
_bares: WeakKeyDictionary[Select[Any], Select[Any]] = WeakKeyDictionary()
_counts: WeakKeyDictionary[Select[Any] | CompoundSelect[Any], Select[Any]] = WeakKeyDictionary()


def _part(statement: Select[Any]) -> Select[Any]:
    """The rows of one page."""
    part = _parts.get(statement)
    if part is None:
        limit, offset = bindparam("page_limit", type_=Integer), bindparam("page_offset", type_=Integer)
        part = _parts[statement] = statement.limit(limit).offset(offset)
    return part


# With the keyset that they are for.
_keyset_parts: WeakKeyDictionary[Select[Any], tuple[Keyset, Select[Any]]] = WeakKeyDictionary()


def _keyset_part(statement: Select[Any], keyset: Keyset) -> Select[Any]:
    """The rows of one keyset page."""
    known = _keyset_parts.get(statement)
    if known is not None:
        before, part = known
        is_same = keyset.column is before.column and keyset.tie is before.tie
        if is_same and keyset.descending == before.descending:
            return part
    columns = [keyset.column] if keyset.tie is None else [keyset.column, keyset.tie]
    order = [column.desc() if keyset.descending else column.asc() for column in columns]
    part = statement.order_by(None).order_by(*order).limit(bindparam("page_limit", type_=Integer))
    _keyset_parts[statement] = keyset, part
    return part


def _count_sent_with(
    page_rows: PageRows,
    counted: Select[Any] | CompoundSelect[Any] | None,
    statement: Select[Any],
    values: dict[str, object],
) -> AbstractContextManager[None]:
    """The count and the first rows are asked for in one go, unless nobody counts."""
    count = count_query(statement, counted)
    return nullcontext() if is_known_large(page_rows.conn, count, values) else page_rows.sent_with(count, values)


def _count(conn: Connection, statement: Select[Any], values: dict[str, object]) -> int:
    """The number of rows, counted up to the limit that is shown."""
    try:
        return _count_rows(conn, _bare(statement), values)
    except InvalidRequestError:
        # A join that finds its left side by the selected columns needs them.
        bare = _bares[statement] = statement.order_by(None)
        return _count_rows(conn, bare, values)


def _count_rows(conn: Connection, statement: Select[Any] | CompoundSelect[Any], values: dict[str, object]) -> int:
    return count_up_to_limit(conn, _counting(statement), values)


def _counting(statement: Select[Any] | CompoundSelect[Any]) -> Select[Any]:
    count = _counts.get(statement)
    if count is None:
        inner = statement.limit(COUNT_LIMIT + MARGIN + 1).subquery()
        count = _counts[statement] = select(func.count()).select_from(inner)
    return count


def _bare(statement: Select[Any]) -> Select[Any]:
    """The statement without its order and columns, unless these determine the rows."""
    bare = _bares.get(statement)
    if bare is None:
        bare = statement.order_by(None)
        if not bare._distinct and not bare._group_by_clauses:  # noqa: SLF001 - there is no public way to ask
            bare = bare.with_only_columns(literal(1).label("one"), maintain_column_froms=True)
        _bares[statement] = bare
    return bare


def paginate_list(call: C, rows: Sequence[R], present: Present[C, R]) -> Page:
    """A page of a list that is already in memory (branches, tags)."""
    page, per_page = page_of(call), per_page_of(call)
    offset = (page - 1) * per_page
    part = rows[offset : offset + per_page]
    has_more = len(rows) > offset + per_page
    return Page(
        present_rows(call, part, present),
        offset_headers(call, page, per_page, len(rows), has_more=has_more, empty=not part),
    )


def present_rows(call: C, rows: Sequence[R], present: Present[C, R]) -> Sequence[object] | Pieces:
    """Rows that are in memory, presented all at once unless that takes very much text."""
    try:
        with refusing_long_texts():
            return present(call, rows)
    except LongTexts:
        return Pieces(call, ListRows(rows), present, len(rows))


def offset_headers(
    call: ListCall, page: int, per_page: int, total: int | None, *, has_more: bool, empty: bool
) -> dict[str, str]:
    """The X- headers and Link relations of an offset page."""
    beyond = empty and page > 1
    headers = {
        "X-Page": str(page),
        "X-Per-Page": str(per_page),
        "X-Next-Page": str(page + 1) if has_more else "",
        "X-Prev-Page": str(page - 1) if page > 1 and not beyond else "",
    }
    other_pages = PageLinks(call, per_page)
    links = []
    if headers["X-Prev-Page"]:
        links.append(other_pages.link("prev", page - 1))
    if has_more:
        links.append(other_pages.link("next", page + 1))
    links.append(other_pages.link("first", 1))
    if total is not None:
        pages = max(1, -(-total // per_page))
        headers["X-Total"] = str(total)
        headers["X-Total-Pages"] = str(pages)
        links.append(other_pages.link("last", pages))
    if sum(map(len, links)) > LONGEST_LINKS:
        # Each one repeats the whole query; clients and proxies refuse headers that long, and follow only this one.
        links = [link for link in links if link.endswith('rel="next"')]
    if links:
        headers["Link"] = ", ".join(links)
    return headers


def _keyset_page(
    call: C, statement: Select[Any], present: Present[C, R], keyset: Keyset, values: dict[str, object]
) -> Page:
    if not keyset.available:
        raise PaginationNotAllowed
    per_page = per_page_of(call)
    if keyset.by_cursor and (cursor := getattr(call.params, "cursor", None)):
        statement = statement.where(_beyond(keyset, _decode_cursor(cursor)))
    page_rows = PageRows(call.conn, _keyset_part(statement, keyset), {**values, "page_limit": per_page + 1})
    part = _read_part(call, page_rows, present, per_page)
    headers = {}
    if part.last is not None and (not keyset.by_cursor or part.number > per_page):
        if keyset.by_cursor:
            following = {"cursor": _encode_cursor(keyset, part.last)}
        else:
            following = {"id_before" if keyset.descending else "id_after": str(getattr(part.last, keyset.label))}
        headers["Link"] = PageLinks(call, per_page, **following).link("next", None)
    return Page(part.items, headers)


def _keyed_page(
    call: C,
    statement: Select[Any],
    present: Present[C, R],
    keys: Sequence[Key],
    place: Place,
    values: dict[str, object],
    total: int | None,
) -> Page:
    """The page at a place of a long list; its headers name the places beside it."""
    per_page = per_page_of(call)
    start, with_row, has_before = None, False, False
    if place.after:
        start = decode(keys, place.after)
        has_before = start is not None
    elif place.before or place.is_end:
        start, has_before = _start_before(call, statement, keys, place, values)
        with_row = True
    if start is not None:
        statement = statement.where(beyond(keys, start, with_row=with_row))
    page_rows = PageRows(call.conn, with_keys(statement, keys).limit(per_page + 1), values)
    part = _read_part(call, page_rows, present, per_page)
    headers = {"Keyed": "1"} if total is None else {"Keyed": "1", "X-Total": str(total)}
    if part.first is not None and has_before:
        headers["Before"] = encode(keys, values_of(part.first, keys))
    if part.last is not None and part.number > per_page:
        headers["After"] = encode(keys, values_of(part.last, keys))
    return Page(part.items, headers)


def _start_before(
    call: ListCall, statement: Select[Any], keys: Sequence[Key], place: Place, values: dict[str, object]
) -> tuple[Values | None, bool]:
    """Where the page begins that ends before a row, or at the end of the list; and whether anything is before it."""
    per_page = per_page_of(call)
    turned, turned_keys = backwards(statement, keys)
    if place.before:
        end = decode(keys, place.before)
        if end is None:
            return None, False
        turned = turned.where(beyond(turned_keys, end))
    rows = call.conn.execute(only_keys(turned, keys).limit(per_page + 1), values).all()
    if len(rows) <= per_page:
        return None, False
    return values_of(rows[per_page - 1], keys), True


def _beyond(keyset: Keyset, position: Mapping[str, object]) -> ColumnElement[bool]:
    """The records after the cursor's."""
    last = _cursor_value(keyset.column, position.get(keyset.label))
    further: ColumnElement[bool] = keyset.column < last if keyset.descending else keyset.column > last
    if keyset.tie is None:
        return further
    tie = _cursor_value(keyset.tie, position.get("id"))
    return or_(further, and_(keyset.column == last, keyset.tie < tie if keyset.descending else keyset.tie > tie))


def _encode_cursor(keyset: Keyset, row: Row[Any]) -> str:
    cursor = {keyset.label: getattr(row, keyset.label)}
    if keyset.tie is not None:
        cursor["id"] = row.id
    texts = {name: value.isoformat() if isinstance(value, datetime) else str(value) for name, value in cursor.items()}
    return base64.urlsafe_b64encode(msgspec.json.encode({**texts, "_kd": "n"})).decode()


def _decode_cursor(cursor: str) -> dict[str, Any]:
    try:
        result = msgspec.json.decode(base64.urlsafe_b64decode(cursor.encode()))
    except (ValueError, binascii.Error, msgspec.DecodeError):
        result = None
    if not isinstance(result, dict):
        raise ParamError("cursor is invalid")
    return result


def _cursor_value(column: ColumnElement[Any], text: object) -> Any:
    if isinstance(column.type, UtcDateTime):
        read: Callable[[Any], Any] = to_datetime
    else:
        read = to_integer if column.type.python_type is int else to_string
    try:
        value = read(text)
    except Unfit:
        value = None
    if value is None:
        raise ParamError("cursor is invalid")
    return value
