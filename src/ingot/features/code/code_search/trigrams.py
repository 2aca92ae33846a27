"""Trigram indexes of texts: which of them may contain a phrase of three and more bytes.

Both databases have what is needed built in: SQLite a virtual table (FTS5) that stores which texts have a trigram but
neither where nor the texts, PostgreSQL an index over arrays of numbers (GIN). Texts are lower-cased before.
"""

from collections.abc import Iterable, Sequence

from sqlalchemy import (
    ARRAY,
    BindParameter,
    Connection,
    Integer,
    Select,
    TableClause,
    bindparam,
    column,
    delete,
    func,
    insert,
    select,
    table,
    text,
)

from ingot.kit.schema import extra_ddl

CONTENTS, PATHS = "code_content_trigrams", "code_path_trigrams"
INDEXES = (CONTENTS, PATHS)
SHORTEST = 3
# Any part of the trigrams is a right filter; a long phrase must not cost a look-up for each of its letters.
MOST_TRIGRAMS = 24

Prepared = str | list[int]


def prepare(dialect: str, words: str) -> Prepared:
    """A text in the form that the index takes: outside of transactions, because it takes time."""
    return words.lower() if dialect == "sqlite" else sorted(_numbers(words.lower().encode()))


def _numbers(raw: bytes) -> set[int]:
    return {first << 16 | second << 8 | third for first, second, third in set(zip(raw, raw[1:], raw[2:], strict=False))}


def _table(index: str) -> TableClause:
    """The columns of both forms; a row of SQLite's whose first column says `delete` removes a text."""
    return table(
        index, column(index), column("rowid"), column("words"), column("id"), column("trigrams", ARRAY(Integer))
    )


def add(tx: Connection, index: str, rows: Sequence[tuple[int, Prepared]]) -> None:
    """Add texts by their numbers."""
    number, words = ("rowid", "words") if tx.dialect.name == "sqlite" else ("id", "trigrams")
    if rows:
        tx.execute(insert(_table(index)), [{number: key, words: prepared} for key, prepared in rows])


def remove(tx: Connection, index: str, texts: Iterable[tuple[int, str]]) -> None:
    """Remove texts; on PostgreSQL they go with the rows that they belong to."""
    if tx.dialect.name == "sqlite":
        rows = [{index: "delete", "rowid": key, "words": words.lower()} for key, words in texts]
        if rows:
            tx.execute(insert(_table(index)), rows)


def clear(tx: Connection, index: str) -> None:
    """Remove everything."""
    place = _table(index)
    if tx.dialect.name == "sqlite":
        tx.execute(insert(place), {index: "delete-all"})
    else:
        tx.execute(delete(place))


def count(conn: Connection, index: str) -> int:
    """How many texts the index has."""
    place = table(f"{index}_docsize" if conn.dialect.name == "sqlite" else index)
    return conn.execute(select(func.count()).select_from(place)).scalar_one()


def matching(dialect: str, index: str, phrase: str) -> Select[tuple[int]] | None:
    """Numbers of the texts that may contain the phrase, or None where it is too short for the index."""
    is_sqlite = dialect == "sqlite"
    parts = _parts(phrase) if is_sqlite else sorted(_numbers(phrase.encode()))
    if not parts:
        return None
    chosen = [parts[at] for at in _spread(len(parts))]
    condition = f"{index} MATCH :{index}_words" if is_sqlite else f"trigrams @> CAST(:{index}_words AS integer[])"
    value = " AND ".join(map(_quoted, chosen)) if is_sqlite else chosen
    bound: BindParameter[object] = bindparam(f"{index}_words", value)
    number = _table(index).c["rowid" if is_sqlite else "id"]
    return select(number).where(text(condition).bindparams(bound))


def _parts(phrase: str) -> list[str]:
    return list(dict.fromkeys(phrase[at : at + SHORTEST] for at in range(len(phrase) - SHORTEST + 1)))


def _quoted(part: object) -> str:
    return '"' + str(part).replace('"', '""') + '"'


def _spread(number: int) -> list[int]:
    """At most so many places, from the first to the last in even steps."""
    chosen = min(MOST_TRIGRAMS, number)
    return [at * number // chosen for at in range(chosen)]


def _sqlite_table(index: str) -> str:
    options = "content='', detail=none, tokenize='trigram case_sensitive 1'"
    return f"CREATE VIRTUAL TABLE IF NOT EXISTS {index} USING fts5(words, {options})"


def _postgres_table(index: str, of: str) -> list[str]:
    columns = f"id BIGINT PRIMARY KEY REFERENCES {of}(id) ON DELETE CASCADE, trigrams INTEGER[] NOT NULL"
    return [
        f"CREATE TABLE IF NOT EXISTS {index} ({columns})",
        f"CREATE INDEX IF NOT EXISTS ix_{index} ON {index} USING gin (trigrams)",
    ]


# A path goes with its file, also where a deleted project takes all its files along.
_PATH_REMOVED = """
CREATE TRIGGER IF NOT EXISTS code_path_trigrams_removed AFTER DELETE ON code_files BEGIN
INSERT INTO code_path_trigrams(code_path_trigrams, rowid, words) VALUES ('delete', old.id, old.path_lower);
END
"""

extra_ddl(
    "code_search",
    sqlite=[_sqlite_table(CONTENTS), _sqlite_table(PATHS), _PATH_REMOVED],
    postgresql=[*_postgres_table(CONTENTS, "code_contents"), *_postgres_table(PATHS, "code_files")],
)
