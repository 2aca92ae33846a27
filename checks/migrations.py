"""No migration may break the version before it: while nodes are upgraded one by one, both work on the new schema.

What is no longer needed goes one version later (expand, then contract). Such a migration says so in its first line:
`-- contracts: why no running version needs it`.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

VERSIONS = Path(__file__).parents[1] / "src" / "ingot" / "migrations" / "versions"
# Earlier ones are behind every instance that can be upgraded node by node.
FIRST_CHECKED = "0014"
SEPARATOR = "--;"
CONTRACTS = "-- contracts: "

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
    (re.compile(rf"\bALTER TABLE {_NAME} ADD CONSTRAINT\b", re.IGNORECASE), "it may write rows that this refuses"),
    (re.compile(rf"\bCREATE UNIQUE INDEX \w+ ON {_NAME}", re.IGNORECASE), "it may write rows that this refuses"),
)


def breaking_statements(script: str) -> Iterator[tuple[str, str]]:
    """Each statement that the version before cannot live with, and why."""
    if script.startswith(CONTRACTS):
        return
    statements = [" ".join(statement.split()) for statement in script.split(SEPARATOR)]
    created = {match[1] for statement in statements for match in [_CREATED.search(statement)] if match}
    for statement in statements:
        for pattern, reason in _BREAKING:
            match = pattern.search(statement)
            if match and match[1] not in created:
                yield statement, reason


def main() -> int:
    """Check all migrations; the exit status says whether one breaks."""
    status = 0
    for path in sorted(VERSIONS.glob("*.sql")):
        if path.name >= FIRST_CHECKED:
            for statement, reason in breaking_statements(path.read_text()):
                print(f"{path.name}: {statement[:120]}\n    {reason}")  # noqa: T201 - a command
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
