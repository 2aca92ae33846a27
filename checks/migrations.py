"""No migration may break the version before it: while nodes are upgraded one by one, both work on the new schema.

What is no longer needed goes one version later (expand, then contract). Such a migration says so in its first line:
`-- contracts since 0046: why`; versions of older schemas than 0046 then refuse to start on the database.

On PostgreSQL a statement may not keep others waiting for as long as a table is large, unless it says why that is short:
`-- locks: there are few of these`.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from ingot.kit.schema import CONTRACTS

VERSIONS = Path(__file__).parents[1] / "src" / "ingot" / "migrations" / "versions"
# Earlier ones are behind every instance that can be upgraded node by node.
FIRST_CHECKED = "0014"
FIRST_CHECKED_FOR_LOCKS = "0046"
SEPARATOR = "--;"
LOCKS = "-- locks: "
_MARK = re.compile(rf"{CONTRACTS}(\d{{4}}): \w")

_NAME = r"(?:IF (?:NOT )?EXISTS )?\"?(\w+)\"?"
_CREATED = re.compile(rf"\bCREATE TABLE {_NAME}", re.IGNORECASE)
_BREAKING = (
    (re.compile(rf"\bDROP TABLE {_NAME}", re.IGNORECASE), "the version before reads this table"),
    (re.compile(rf"\bALTER TABLE {_NAME} .*\bDROP (?:COLUMN|CONSTRAINT)\b", re.IGNORECASE), "it reads what is dropped"),
    (re.compile(rf"\bALTER TABLE {_NAME} .*\bRENAME\b", re.IGNORECASE), "it knows the old name only"),
    (
        re.compile(rf"\bALTER TABLE {_NAME} .*\bALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE\b", re.IGNORECASE),
        "it writes the old type",
    ),
    (re.compile(rf"\bALTER TABLE {_NAME} .*\bSET NOT NULL\b", re.IGNORECASE), "it may write rows without a value"),
    (
        re.compile(
            rf"\bALTER TABLE {_NAME} ADD (?:COLUMN )?(?!CONSTRAINT)(?!.*\bDEFAULT\b).*\bNOT NULL\b", re.IGNORECASE
        ),
        "it writes rows without this column: give it a DEFAULT in the database",
    ),
    (re.compile(rf"\bALTER TABLE {_NAME} .*\bDROP DEFAULT\b", re.IGNORECASE), "it writes rows without this column"),
    (
        re.compile(rf"\bALTER TABLE {_NAME} ADD (?:COLUMN )?(?!CONSTRAINT).*\bUNIQUE\b", re.IGNORECASE),
        "it writes the same default twice",
    ),
    (re.compile(rf"\bALTER TABLE {_NAME} ADD CONSTRAINT\b", re.IGNORECASE), "it may write rows that this refuses"),
    (re.compile(rf"\bCREATE UNIQUE INDEX \w+ ON {_NAME}", re.IGNORECASE), "it may write rows that this refuses"),
)


_SIZE = "others wait while the whole table is"
_LOCKING = (
    (re.compile(rf"\bCREATE INDEX (?:IF NOT EXISTS )?\w+ ON {_NAME}", re.IGNORECASE), f"{_SIZE} indexed"),
    (re.compile(rf"^(?:UPDATE|DELETE FROM) {_NAME}", re.IGNORECASE), "others wait for every row that it changes"),
    (
        re.compile(
            rf"\bALTER TABLE {_NAME} ADD .*"
            r"(?:SERIAL|\bSTORED\b|\bDEFAULT (?:random|clock_timestamp|gen_random_uuid|nextval)\b)",
            re.IGNORECASE,
        ),
        f"{_SIZE} rewritten",
    ),
    (re.compile(rf"^(?:LOCK|REINDEX|CLUSTER|VACUUM)(?: TABLE| FULL)? {_NAME}", re.IGNORECASE), f"{_SIZE} locked"),
)


def breaking_statements(script: str) -> Iterator[tuple[str, str]]:
    """Each statement that the version before cannot live with, and why."""
    if not _MARK.match(script):
        yield from _matches(script, _BREAKING)


def locking_statements(script: str) -> Iterator[tuple[str, str]]:
    """Each statement that keeps everybody waiting on a large instance of PostgreSQL, and why."""
    yield from _matches(script, _LOCKING)


def _matches(script: str, rules: tuple[tuple[re.Pattern[str], str], ...]) -> Iterator[tuple[str, str]]:
    statements = [statement.strip() for statement in script.split(SEPARATOR)]
    created = {match[1] for statement in statements for match in [_CREATED.search(statement)] if match}
    for statement in statements:
        if rules is _LOCKING and statement.startswith(LOCKS):
            continue
        text = " ".join(line for line in statement.splitlines() if not line.startswith("--"))
        text = " ".join(text.split())
        for pattern, reason in rules:
            match = pattern.search(text)
            if match and match[1] not in created:
                yield text, reason


def problems(name: str, script: str) -> Iterator[tuple[str, str]]:
    """What is wrong with a file of statements."""
    mark = _MARK.match(script)
    if script.startswith("-- contracts") and (mark is None or mark[1] >= name[:4]):
        yield script.partition("\n")[0], f"say since which earlier schema: {CONTRACTS}0046: why"
    yield from breaking_statements(script)
    if name >= FIRST_CHECKED_FOR_LOCKS and name.endswith(".postgresql.sql"):
        yield from locking_statements(script)


def main() -> int:
    """Check all migrations; the exit status says whether one breaks."""
    status = 0
    for path in sorted(VERSIONS.glob("*.sql")):
        if path.name >= FIRST_CHECKED:
            for statement, reason in problems(path.name, path.read_text()):
                print(f"{path.name}: {statement[:120]}\n    {reason}")  # noqa: T201 - a command
                status = 1
    for path in sorted(VERSIONS.glob("[0-9]*.py")):
        if "alembic" in path.read_text():
            print(f"{path.name}: statements belong into the files beside it, which are checked")  # noqa: T201
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
