"""Text search: every term must be found somewhere, as a substring, without regard to case.

The trigram index finds them (FTS5 on SQLite, pg_trgm on PostgreSQL); where it does not help, the same lower-cased texts
are compared, so both databases give the same results. What the index finds decides the form of the list's statement;
words and ids are bound.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Select,
    String,
    and_,
    bindparam,
    column,
    false,
    func,
    literal_column,
    or_,
    select,
    table,
    text,
)

from ingot.access.tables import namespaces, projects
from ingot.kit.letter_case import contains_given, part_of_pattern
from ingot.kit.search_terms import split_terms
from ingot.kit.statements import Shapes, WrittenOut

INDEXED_LENGTH = 3
BEYOND_ASCII = func.octet_length(projects.c.search_text) > func.char_length(projects.c.search_text)
# Beyond this many hits a scan in the requested order reaches a full page sooner than sorting all hits.
SELECTIVE = 2000
# Up to so many are named by id on PostgreSQL; more take longer to name than to compare again.
FEW = 200
# A term that begins more trigrams than this is in so many texts that the index does not help.
MOST_TRIGRAMS = 200
# Behind two letters these are 37 trigrams, which PostgreSQL looks up together.
_ANY_OF_ASCII = r"[\x01-\x7f]"
# Statements that search more words are built at each call.
COMMON_TERMS = 4

_INDEX = table("project_search")
_TERMS = table("project_search_terms", column("term", String))
_TERMS_BETWEEN = (
    select(_TERMS.c.term)
    .where(_TERMS.c.term.between(bindparam("first"), bindparam("last")))
    .limit(MOST_TRIGRAMS + 1)
)  # fmt: skip
_comparing: Shapes[Select[Any]] = Shapes()


class Way(Enum):
    """How the projects that have some terms are found."""

    NOWHERE = 0
    COMPARED = 1  # by their texts
    INDEXED = 2  # by the index of SQLite, asked again
    KNOWN = 3  # by ids


class Part(NamedTuple):
    """Terms that are looked for together."""

    way: Way
    first: int  # their places in the search
    number: int

    @property
    def places(self) -> range:
        """The places of the terms."""
        return range(self.first, self.first + self.number)


class SearchForm(NamedTuple):
    """What the condition depends on."""

    parts: tuple[Part, ...]
    in_namespaces: bool
    are_ascii: tuple[bool, ...] = ()  # of each term, where the names of groups are searched

    @property
    def is_common(self) -> bool:
        """A statement with it is worth keeping."""
        return sum(part.number for part in self.parts) <= COMMON_TERMS


class Searched(NamedTuple):
    """The search of one call."""

    form: SearchForm
    values: dict[str, object]


def terms_of(search: str | None) -> list[str]:
    """The words and quoted phrases of a query, lower-cased."""
    terms = split_terms((search or "").lower())
    phrases = [term.text.strip() for term in terms if term.is_phrase]
    words = [term.text for term in terms if not term.is_phrase]
    return [term for term in (*phrases, *words) if term]


def find(conn: Connection, search: str | None, *, in_namespaces: bool) -> Searched | None:
    """Ask the index; None where nothing is searched for."""
    terms = terms_of(search)
    if not terms:
        return None
    values: dict[str, object] = {f"term_{place}": part_of_pattern(term) for place, term in enumerate(terms)}
    if not in_namespaces:
        return Searched(SearchForm((_look_up(conn, terms, 0, values, paths=False),), in_namespaces=False), values)
    parts = tuple(_look_up(conn, [term], place, values, paths=True) for place, term in enumerate(terms))
    return Searched(SearchForm(parts, in_namespaces=True, are_ascii=tuple(map(str.isascii, terms))), values)


def condition(form: SearchForm) -> ColumnElement[bool]:
    """Condition on `projects`."""
    paths = form.in_namespaces
    found = [_matches(part, paths=paths) for part in form.parts]
    if not form.in_namespaces:
        return found[0]
    named = [_in_named(place, is_ascii=is_ascii) for place, is_ascii in enumerate(form.are_ascii)]
    return and_(*(or_(here, above) for here, above in zip(found, named, strict=True)))


def _matches(part: Part, *, paths: bool) -> ColumnElement[bool]:
    match part.way:
        case Way.NOWHERE:
            return false()
        case Way.COMPARED:
            return _compared(part.places, paths=paths)
        case Way.INDEXED:
            return projects.c.id.in_(_hits_of_index(part.first))
        case Way.KNOWN:
            return projects.c.id.in_(WrittenOut(f"found_ids_{part.first}", expanding=True))


def _look_up(conn: Connection, terms: list[str], first: int, values: dict[str, object], *, paths: bool) -> Part:
    """How the projects that have all terms are found; adds what that needs to `values`."""
    if conn.dialect.name == "sqlite":
        way = _ask_index(conn, terms, first, values, paths=paths)
    else:
        way = _compare(conn, terms, first, values, paths=paths)
    return Part(way, first, len(terms))


def _compare(conn: Connection, terms: list[str], first: int, values: dict[str, object], *, paths: bool) -> Way:
    """The few projects whose texts fit, by id.

    PostgreSQL plans a comparison of texts anew for every word. That is quick in this small statement, and slow in those
    that list and count, which have one plan for any ids.

    The trigrams of two letters are those of the letters with one more behind them. Where that may be any letter there
    are too many, so the texts that go beyond ASCII, which have an index of their own, are compared as they are.
    """
    places = range(first, first + len(terms))
    has_pairs = any(map(_is_pair, terms))
    compared = _comparing.get(
        (places, paths, has_pairs), lambda: _texts(_compared(places, paths=paths), *([BEYOND_ASCII] * has_pairs))
    )
    statements = [compared]
    if has_pairs:
        # Built at each call: the two letters are part of it.
        in_ascii = [
            _pair(term, paths=paths) if _is_pair(term) else _contains(place, paths=paths)
            for place, term in zip(places, terms, strict=True)
        ]
        statements.insert(0, _texts(*in_ascii))
    ids: set[int] = set()
    for statement in statements:
        ids |= set(conn.execute(statement, values).scalars())
        if len(ids) > FEW:
            return Way.COMPARED
    values[f"found_ids_{first}"] = sorted(ids)
    return Way.KNOWN if ids else Way.NOWHERE


def _texts(*conditions: ColumnElement[bool]) -> Select[Any]:
    return select(projects.c.id).where(*conditions).limit(FEW + 1)


def _is_pair(term: str) -> bool:
    """Two letters or digits of ASCII."""
    return len(term) == INDEXED_LENGTH - 1 and term.isascii() and term.isalnum()


def _pair(pair: str, *, paths: bool) -> ColumnElement[bool]:
    """The two letters with ASCII behind them; part of the statement, since PostgreSQL plans it well only by them."""
    pattern: BindParameter[str] = bindparam("pair", pair + _ANY_OF_ASCII, unique=True, literal_execute=True)
    here = projects.c.search_text.op("~", is_comparison=True)(pattern)
    if not paths:
        return here
    path = projects.c.full_path_lower
    # Paths are ASCII; unlike the texts they do not end in empty lines.
    return or_(here, path.op("~", is_comparison=True)(pattern), path.endswith(pair))


def _in_named(place: int, *, is_ascii: bool) -> ColumnElement[bool]:
    """The names of the parent groups, which are not part of the path."""
    inside = select(namespaces.c.id).where(contains_given(namespaces.c.full_name, f"term_{place}", is_ascii=is_ascii))
    return projects.c.namespace_id.in_(inside)


def _ask_index(conn: Connection, terms: list[str], first: int, values: dict[str, object], *, paths: bool) -> Way:
    """The projects that the index of SQLite finds, unless they are so many that a scan is better."""
    parts = [_phrase(conn, term) for term in terms]
    if None in parts:
        return Way.COMPARED
    if "" in parts:
        return Way.NOWHERE
    query = " AND ".join(f"({part})" for part in parts)
    values[f"index_query_{first}"] = query if paths else f"search_text : ({query})"
    few = _comparing.get(first, lambda: _hits_of_index(first).limit(SELECTIVE + 1))
    hits = len(conn.execute(few, values).all())
    if hits > SELECTIVE:
        return Way.COMPARED
    # Where nothing was found, nobody has to list what the caller may see.
    return Way.INDEXED if hits else Way.NOWHERE


def _hits_of_index(place: int) -> Select[Any]:
    # One statement may ask several times, so each question has a parameter of its own.
    return (
        select(literal_column("rowid").label("id"))
        .select_from(_INDEX)
        .where(text(f"project_search MATCH :index_query_{place}"))
    )


def _phrase(conn: Connection, term: str) -> str | None:
    """The index query of one term: empty where no text has it, None where the index does not help."""
    if len(term) >= INDEXED_LENGTH:
        return _quoted(term)
    # A short term is found by the trigrams that begin with it; the texts end in blank lines so that each has one.
    known = conn.execute(_TERMS_BETWEEN, {"first": term, "last": term + "\U0010ffff" * 2}).scalars()
    result = [_quoted(trigram) for trigram in known]
    if len(result) > MOST_TRIGRAMS:
        return None
    return " OR ".join(result)


def _quoted(words: str) -> str:
    return '"' + words.replace('"', '""') + '"'


def _compared(places: Sequence[int], *, paths: bool) -> ColumnElement[bool]:
    return and_(*(_contains(place, paths=paths) for place in places))


def _contains(place: int, *, paths: bool) -> ColumnElement[bool]:
    """The text has the term; it is in lower case, as the text is."""
    term: BindParameter[str] = bindparam(f"term_{place}")
    here = projects.c.search_text.contains(term, escape="/")
    return or_(here, projects.c.full_path_lower.contains(term, escape="/")) if paths else here
