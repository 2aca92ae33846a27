"""The check that refuses migrations which the version before cannot live with."""

import pytest

from checks.migrations import breaking_statements


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
        "ALTER TABLE labels ADD CONSTRAINT one_name UNIQUE (name)",
        "CREATE UNIQUE INDEX ix_labels_name ON labels (name)",
    ],
)
def test_what_breaks_is_refused(statement: str) -> None:
    script = f"ALTER TABLE issues ADD COLUMN weight INTEGER\n--;\n{statement}"

    assert [refused for refused, _ in breaking_statements(script)] == [" ".join(statement.split())]
    assert not list(breaking_statements(f"-- contracts: read by no version since 0034\n{script}"))


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
