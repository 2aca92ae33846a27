"""No migration may break the version before it: while nodes are upgraded one by one, both work on the new schema.

What is no longer needed goes one version later (expand, then contract). Such a migration says so in its first line:
`-- contracts since 0046: why`; versions of older schemas than 0046 then refuse to start on the database.

On PostgreSQL a statement may not keep others waiting for as long as a table is large, unless it says why that is short:
`-- locks: there are few of these`.

A statement that changes or deletes rows says why the version before, which reads them meanwhile, still understands
them: `-- rows: it wrote both spellings`. One that only fills columns which the same file adds needs no reason.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from checks.rows import changes_rows
from checks.statements import breaks, indexes, statements
from ingot.kit.schema import CONTRACTS
from ingot.migrations.plain import SEPARATOR

VERSIONS = Path(__file__).parents[1] / "src" / "ingot" / "migrations" / "versions"
# Earlier ones are behind every instance that can be upgraded node by node.
FIRST_CHECKED = "0014"
FIRST_CHECKED_FOR_LOCKS = "0046"
FIRST_CHECKED_FOR_ROWS = "0053"
DATABASES = ("sqlite", "postgresql")
LOCKS = "-- locks: "
ROWS = "-- rows: "
_MARK = re.compile(rf"{CONTRACTS}(\d{{4}}): \w")

_NAME = r"(?:IF (?:NOT )?EXISTS )?(?:ONLY )?\"?(\w+)\"?"
_CREATED = re.compile(rf"^CREATE TABLE {_NAME}", re.IGNORECASE)
_SIZE = "others wait while the whole table is"
_LOCKING = (
    (re.compile(rf"^CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?\S+ ON {_NAME}", re.IGNORECASE), f"{_SIZE} indexed"),
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


def breaking_statements(script: str, earlier: Mapping[str, bool]) -> Iterator[tuple[str, str]]:
    """Each statement that the version before cannot live with, and why; `earlier` are the indexes of its schema."""
    if not _MARK.match(script):
        yield from breaks(script, earlier)


def locking_statements(script: str) -> Iterator[tuple[str, str]]:
    """Each statement that keeps everybody waiting on a large instance of PostgreSQL, and why."""
    texts = list(statements(script))
    created = {match[1] for text in texts for match in [_CREATED.search(text)] if match}
    for statement, text in zip(script.split(SEPARATOR), texts, strict=True):
        if _has_reason(statement, LOCKS):
            continue
        for pattern, reason in _LOCKING:
            match = pattern.search(text)
            if match and match[1] not in created:
                yield text, reason


def changing_statements(script: str) -> Iterator[tuple[str, str]]:
    """Each statement that changes rows which the version before reads, without a word on what that does to it."""
    for statement, text in zip(script.split(SEPARATOR), statements(script), strict=True):
        if changes_rows(text, script) and not _has_reason(statement, ROWS):
            yield text, f"the version before reads these rows meanwhile: say why it understands them, {ROWS}why"


def _has_reason(statement: str, mark: str) -> bool:
    """Whether the comments above a statement give this reason."""
    for line in statement.strip().splitlines():
        if not line.startswith("--"):
            return False
        if line.startswith(mark) and line.removeprefix(mark).strip():
            return True
    return False


def problems(name: str, script: str, earlier: Mapping[str, bool]) -> Iterator[tuple[str, str]]:
    """What is wrong with a file of statements; `earlier` are the indexes that the files before it create."""
    mark = _MARK.match(script)
    if script.startswith("-- contracts") and (mark is None or mark[1] >= name[:4]):
        yield script.partition("\n")[0], f"say since which earlier schema: {CONTRACTS}0046: why"
    yield from breaking_statements(script, earlier)
    if name >= FIRST_CHECKED_FOR_ROWS:
        yield from changing_statements(script)
    if name >= FIRST_CHECKED_FOR_LOCKS and name.endswith(".postgresql.sql"):
        yield from locking_statements(script)


def main() -> int:
    """Check all migrations; the exit status says whether one breaks."""
    status = 0
    for database in DATABASES:
        earlier: dict[str, bool] = {}
        for path in sorted(VERSIONS.glob(f"*.{database}.sql")):
            script = path.read_text()
            if path.name >= FIRST_CHECKED:
                for statement, reason in problems(path.name, script, earlier):
                    print(f"{path.name}: {statement[:120]}\n    {reason}")  # noqa: T201 - a command
                    status = 1
            earlier |= indexes(script)
    for path in sorted(VERSIONS.glob("[0-9]*.py")):
        if "alembic" in path.read_text():
            print(f"{path.name}: statements belong into the files beside it, which are checked")  # noqa: T201
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
