"""The check that refuses migrations which the version before cannot live with."""

import pytest

from checks.migrations import breaking_statements, locking_statements, problems


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE labels",
        'DROP TABLE IF EXISTS "labels"',
        "ALTER TABLE labels DROP COLUMN color",
        "ALTER TABLE labels DROP CONSTRAINT labels_name_key",
        "ALTER TABLE labels RENAME COLUMN color TO colour",
        "ALTER TABLE labels RENAME TO tags",
        "ALTER TABLE labels ALTER COLUMN color TYPE text",
        "ALTER TABLE labels ALTER COLUMN color SET DATA TYPE text",
        "ALTER TABLE labels\n    ALTER COLUMN color SET NOT NULL",
        "ALTER TABLE labels ADD COLUMN weight INTEGER NOT NULL",
        "ALTER TABLE labels ADD COLUMN code VARCHAR(8) DEFAULT '' UNIQUE",
        "ALTER TABLE labels ALTER COLUMN color DROP DEFAULT",
        "ALTER TABLE labels ADD CONSTRAINT one_name UNIQUE (name)",
        "CREATE UNIQUE INDEX ix_labels_name ON labels (name)",
    ],
)
def test_what_breaks_is_refused(statement: str) -> None:
    script = f"ALTER TABLE issues ADD COLUMN weight INTEGER\n--;\n{statement}"

    assert [refused for refused, _ in breaking_statements(script)] == [" ".join(statement.split())]
    assert not list(breaking_statements(f"-- contracts since 0034: nothing reads it\n{script}"))


@pytest.mark.parametrize(
    "script",
    [
        "ALTER TABLE labels ADD COLUMN weight INTEGER",
        "ALTER TABLE labels ADD COLUMN weight INTEGER DEFAULT 0 NOT NULL",
        "ALTER TABLE labels ADD COLUMN weight INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX ix_labels_name ON labels (name)",
        "CREATE TABLE flags (id INTEGER NOT NULL)\n--;\nCREATE UNIQUE INDEX ix_flags ON flags (id)",
        "UPDATE labels SET color = '#fff'",
        "DROP INDEX ix_labels_name",
    ],
)
def test_what_only_adds_passes(script: str) -> None:
    assert not list(breaking_statements(script))


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE INDEX ix_labels_name ON labels (name)",
        "UPDATE labels SET color = '#fff'",
        "DELETE FROM labels WHERE color = ''",
        "ALTER TABLE labels ADD COLUMN number BIGSERIAL",
        "ALTER TABLE labels ADD COLUMN code UUID DEFAULT gen_random_uuid()",
        "ALTER TABLE labels ADD COLUMN low TEXT GENERATED ALWAYS AS (lower(name)) STORED",
        "LOCK TABLE labels",
    ],
)
def test_what_keeps_others_waiting_is_refused_without_a_reason(statement: str) -> None:
    assert [refused for refused, _ in locking_statements(f"CREATE TABLE flags (id BIGINT)\n--;\n{statement}")] == [
        statement
    ]
    assert not list(locking_statements(f"-- locks: there are few labels\n{statement}"))
    assert not list(locking_statements(f"CREATE TABLE labels (name TEXT)\n--;\n{statement}"))


@pytest.mark.parametrize(
    "mark", ["-- contracts: nothing reads it", "-- contracts since 0050: it is new", "-- contracts since 0046:"]
)
def test_a_contraction_says_since_which_schema(mark: str) -> None:
    assert list(problems("0050_gone.sqlite.sql", f"{mark}\nUPDATE labels SET color = ''"))


def test_a_contraction_is_taken() -> None:
    script = "-- contracts since 0046: nothing reads the colour\nALTER TABLE labels DROP COLUMN color"

    assert not list(problems("0050_gone.postgresql.sql", script))
