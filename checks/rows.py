"""Whether a statement of a migration changes what is in rows that the version before reads."""

from checks.statements import ALTERED, COLUMN, CREATED, NAME, parts_between_commas, pattern, statements, without_strings

_UPDATE = r"^UPDATE (?:OR \w+ )?"
_CHANGES = (
    pattern(_UPDATE + NAME),
    pattern(rf"^(?:DELETE FROM|INSERT OR REPLACE INTO) {NAME}"),
    pattern(rf"^INSERT INTO {NAME}.*\bON CONFLICT\b.*\bDO UPDATE\b"),
)
_ASSIGNED = pattern(rf"{_UPDATE}{NAME} (?:AS )?(?:\w+ )?SET (.*)")
_ASSIGNMENT = pattern(r'^"?(\w+)"? ?=')


def changes_rows(text: str, script: str) -> bool:
    """Whether a statement of this script changes or deletes what the version before has written or reads."""
    plain = without_strings(text)
    table = next((match[1] for change in _CHANGES if (match := change.search(plain))), None)
    if table is None or table in _created_tables(script):
        return False
    assigned = _ASSIGNED.search(plain)
    return assigned is None or not _columns(assigned[2]) <= _added_columns(script, table)


def _created_tables(script: str) -> set[str]:
    return {match[1] for text in statements(script) if (match := CREATED.search(text))}


def _columns(assignments: str) -> set[str]:
    """The columns on the left side; what is not as plain as `a = …` stands for itself, which is no column."""
    parts = parts_between_commas(assignments)
    return {match[1] if (match := _ASSIGNMENT.match(part)) else part for part in parts}


def _added_columns(script: str, table: str) -> set[str]:
    altered = (ALTERED.search(text) for text in statements(script))
    actions = (action for match in altered if match and match[1] == table for action in parts_between_commas(match[2]))
    return {match[1] for action in actions if (match := COLUMN.search(action))}
