"""Settled data: tables that seldom change have a version of their own, and most writes leave what was read of them.

    settled_table(protected_branches)
    settled_table(users, "username", "name")  # of these columns; others may change often

Triggers note each change in the transaction that makes it, whoever makes it: a command, a cascade, a process of the
version before. So two readers that see the same notes see the same settled data. A note is a random word and not a
number, which a restored backup would count again.
"""

from collections.abc import Iterator

from sqlalchemy import Column, String, Table

from ingot.kit.db import Id, metadata
from ingot.kit.schema import extra_ddl
from ingot.kit.statements.settled import settle

settled_changes = Table(
    "settled_changes",
    metadata,
    Column("id", Id, primary_key=True),
    Column("token", String(36), nullable=False),
    Column("transaction_id", String(20), nullable=True),  # PostgreSQL's: one note of each is enough
)

# On SQLite one writer follows the other, so the last note says all. On PostgreSQL several write at once: nobody waits
# for a row of another, and the newest notes are kept, because one that was made before may be committed after them.
_NOTES = 16
_ON_SQLITE = "DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16)));"
_ON_POSTGRESQL = f"""
CREATE OR REPLACE FUNCTION note_settled_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    mine text := pg_current_xact_id()::text;
    noted bigint;
BEGIN
    IF NOT EXISTS (SELECT FROM settled_changes WHERE transaction_id = mine) THEN
        INSERT INTO settled_changes (token, transaction_id) VALUES (gen_random_uuid()::text, mine)
            RETURNING id INTO noted;
        DELETE FROM settled_changes WHERE id IN
            (SELECT id FROM settled_changes WHERE id <= noted - {_NOTES} FOR UPDATE SKIP LOCKED);
    END IF;
    RETURN NULL;
END $$
"""  # noqa: S608 - a number of our own

extra_ddl(settled_changes.name, postgresql=[_ON_POSTGRESQL.strip()])


def settled_table(table: Table, *columns: str) -> None:
    """Declare that a table, or these columns of it, seldom change."""
    settle(table, columns)
    update = f"UPDATE OF {', '.join(columns)}" if columns else "UPDATE"
    extra_ddl(
        f"settled_{table.name}",
        sqlite=list(_sqlite_triggers(table.name, update)),
        postgresql=list(_postgresql_trigger(table.name, update)),
    )


def _sqlite_triggers(table: str, update: str) -> Iterator[str]:
    for event in ("INSERT", update, "DELETE"):
        name = f"settled_{table}_{event.partition(' ')[0].lower()}"
        yield f"CREATE TRIGGER IF NOT EXISTS {name} AFTER {event} ON {table} BEGIN {_ON_SQLITE} END"


def _postgresql_trigger(table: str, update: str) -> Iterator[str]:
    name = f"settled_{table}"
    yield f"DROP TRIGGER IF EXISTS {name} ON {table}"
    yield (
        f"CREATE TRIGGER {name} AFTER INSERT OR {update} OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()"
    )
