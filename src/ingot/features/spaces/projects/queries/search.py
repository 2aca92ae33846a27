"""Text search: every term must be found somewhere, as a substring, without regard to case.

The trigram index finds them (FTS5 on SQLite, pg_trgm on PostgreSQL); where it does not help, the same lower-cased texts
are compared, so both databases give the same results.
"""

from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    false,
    func,
    literal_column,
    or_,
    select,
    table,
    text,
)

from ingot.access.tables import namespaces, projects
from ingot.kit.letter_case import contains
from ingot.kit.search_terms import split_terms

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


def terms_of(search: str | None) -> list[str]:
    """The words and quoted phrases of a query, lower-cased."""
    terms = split_terms((search or "").lower())
    phrases = [term.text.strip() for term in terms if term.is_phrase]
    words = [term.text for term in terms if not term.is_phrase]
    return [term for term in (*phrases, *words) if term]


def matching(conn: Connection, search: str | None, *, in_namespaces: bool) -> ColumnElement[bool] | None:
    """Condition on `projects`, or None where nothing is searched for."""
    terms = terms_of(search)
    if not terms:
        return None
    if in_namespaces:
        return and_(*(or_(_matches_all(conn, [term], paths=True), _in_named(term)) for term in terms))
    return _matches_all(conn, terms, paths=False)


def _matches_all(conn: Connection, terms: list[str], *, paths: bool) -> ColumnElement[bool]:
    compared = and_(*(_contains(term, paths=paths) for term in terms))
    on_sqlite = conn.dialect.name == "sqlite"
    hits = _hits(conn, terms, paths=paths) if on_sqlite else _compared_hits(conn, terms, compared, paths=paths)
    return compared if hits is None else hits


def _compared_hits(
    conn: Connection, terms: list[str], compared: ColumnElement[bool], *, paths: bool
) -> ColumnElement[bool] | None:
    """The few projects whose texts fit, by id.

    PostgreSQL plans a comparison of texts anew for every word. That is quick in this small statement, and slow in those
    that list and count, which have one plan for any ids.

    The trigrams of two letters are those of the letters with one more behind them. Where that may be any letter there
    are too many, so the texts that go beyond ASCII, which have an index of their own, are compared as they are.
    """
    conditions = [compared]
    if any(map(_is_pair, terms)):
        in_ascii = and_(*((_pair if _is_pair(term) else _contains)(term, paths=paths) for term in terms))
        conditions = [in_ascii, and_(compared, BEYOND_ASCII)]
    ids: set[int] = set()
    for condition in conditions:
        ids |= set(conn.execute(select(projects.c.id).where(condition).limit(FEW + 1)).scalars())
        if len(ids) > FEW:
            return None
    return projects.c.id.in_(sorted(ids)) if ids else false()


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


def _in_named(term: str) -> ColumnElement[bool]:
    """The names of the parent groups, which are not part of the path."""
    inside = select(namespaces.c.id).where(contains(namespaces.c.full_name, term))
    return projects.c.namespace_id.in_(inside)


def _hits(conn: Connection, terms: list[str], *, paths: bool) -> ColumnElement[bool] | None:
    """The projects that the index of SQLite finds, unless they are so many that a scan is better."""
    parts = [_phrase(conn, term) for term in terms]
    if None in parts:
        return None
    if "" in parts:
        return false()
    query = " AND ".join(f"({part})" for part in parts)
    # One statement may ask several times, so each question has a parameter of its own.
    question: BindParameter[str] = bindparam(
        "project_query", query if paths else f"search_text : ({query})", unique=True
    )
    statement: Select[Any] = (
        select(literal_column("rowid").label("id"))
        .select_from(table("project_search"))
        .where(text("project_search MATCH :project_query").bindparams(question))
    )
    hits = len(conn.execute(statement.limit(SELECTIVE + 1)).all())
    if hits > SELECTIVE:
        return None
    # Where nothing was found, nobody has to list what the caller may see.
    return projects.c.id.in_(statement) if hits else false()


def _phrase(conn: Connection, term: str) -> str | None:
    """The index query of one term: empty where no text has it, None where the index does not help."""
    if len(term) >= INDEXED_LENGTH:
        return _quoted(term)
    # A short term is found by the trigrams that begin with it; the texts end in blank lines so that each has one.
    known = conn.execute(
        text("SELECT term FROM project_search_terms WHERE term BETWEEN :first AND :last LIMIT :most"),
        {"first": term, "last": term + "\U0010ffff" * 2, "most": MOST_TRIGRAMS + 1},
    ).scalars()
    result = [_quoted(trigram) for trigram in known]
    if len(result) > MOST_TRIGRAMS:
        return None
    return " OR ".join(result)


def _quoted(words: str) -> str:
    return '"' + words.replace('"', '""') + '"'


def _contains(term: str, *, paths: bool) -> ColumnElement[bool]:
    here = projects.c.search_text.contains(term, autoescape=True)
    return or_(here, projects.c.full_path_lower.contains(term, autoescape=True)) if paths else here
