"""What a statement of a migration does to the version before, which works on the new schema meanwhile.

Only what is known to harm nobody passes; a statement of another kind is refused because nobody has thought about it.
"""

import re
import sqlite3
from collections.abc import Iterator

from ingot.migrations.plain import SEPARATOR

_NAME = r"(?:IF (?:NOT )?EXISTS )?(?:ONLY )?(?:\"?\w+\"?\.)?\"?(\w+)\"?"
_STRING_OR_COMMENT = re.compile(r"('(?:[^']|'')*')|--[^\n]*|/\*.*?\*/", re.DOTALL)
_BODY = re.compile(r"\$(\w*)\$.*?\$\1\$", re.DOTALL)
_REFUSES = "it may write rows that this refuses"
_UNKNOWN = "nobody has said yet what this does to it: add the kind of statement to checks/statements.py"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE | re.DOTALL)


_CREATED = _pattern(rf"^CREATE (?:VIRTUAL )?TABLE {_NAME}")
_DROPPED = _pattern(rf"^DROP TABLE {_NAME}$")
_HARMLESS = _pattern(
    r"^(?:CREATE INDEX|DROP INDEX|INSERT INTO|UPDATE|DELETE FROM|CREATE VIEW|CREATE SEQUENCE|CREATE EXTENSION"
    r"|LOCK|REINDEX|CLUSTER|VACUUM|ANALYZE|COMMENT)\b"
)
_UNIQUE_INDEX = _pattern(rf"^CREATE UNIQUE INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?(?:[\w.\"]+ )??ON {_NAME}")
_TRIGGER = _pattern(rf"^CREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER {_NAME} .*? ON {_NAME}(.*)")
_DROPPED_TRIGGER = _pattern(rf"^DROP TRIGGER {_NAME}")
_TRIGGER_FUNCTION = _pattern(rf"^CREATE (?:OR REPLACE )?FUNCTION {_NAME} ?\(\) .*\bRETURNS TRIGGER\b")
_CALLED = _pattern(r"\bEXECUTE (?:FUNCTION|PROCEDURE) (?:\w+\.)?\"?(\w+)")
# Without a word for its level PostgreSQL's RAISE refuses; SQLite's, with brackets, refuses or leaves the row out.
_RAISES = _pattern(r"\bRAISE\b(?! (?:DEBUG|LOG|INFO|NOTICE|WARNING)\b)")

_ALTERED = _pattern(rf"^ALTER TABLE {_NAME} (.*)")
_ACTIONS = (
    (_pattern(r"^ALTER (?:COLUMN )?\S+ (?:DROP NOT NULL$|SET DEFAULT\b|SET STATISTICS\b)"), ""),
    (_pattern(r"^ALTER (?:COLUMN )?\S+ (?:SET DATA )?TYPE\b"), "it writes the old type"),
    (_pattern(r"^ALTER (?:COLUMN )?\S+ SET NOT NULL\b"), "it may write rows without a value"),
    (_pattern(r"^ALTER (?:COLUMN )?\S+ DROP\b"), "it writes rows without this column"),
    (_pattern(r"^DROP\b"), "it reads what is dropped"),
    (_pattern(r"^RENAME\b"), "it knows the old name only"),
    (_pattern(r"^ADD (?:CONSTRAINT|CHECK|UNIQUE|PRIMARY KEY|FOREIGN KEY|EXCLUDE)\b"), _REFUSES),
)
_COLUMN = _pattern(rf"^ADD (?:COLUMN )?{_NAME} (.*)")
_UNIQUE = _pattern(r"\b(?:UNIQUE|PRIMARY KEY)\b")
_MISSING = _pattern(r"^(?!.*\b(?:DEFAULT|GENERATED|\w*SERIAL)\b).*\bNOT NULL\b")
_CHECK = _pattern(r"\bCHECK ?\(")


def statements(script: str) -> Iterator[str]:
    """Each statement without its comments, in one line."""
    for statement in script.split(SEPARATOR):
        text = _STRING_OR_COMMENT.sub(lambda match: match[1] or " ", statement)
        yield " ".join(text.split()).removesuffix(";")


def breaks(script: str) -> Iterator[tuple[str, str]]:
    """Each statement that the version before cannot live with, and why."""
    texts = [text for text in statements(script) if text]
    triggers = [match for text in texts for match in [_TRIGGER.search(_without_strings(text))] if match]
    created: set[str] = set()
    for text in texts:
        plain = _without_strings(text)
        if ";" in _BODY.sub("", plain) and not _TRIGGER.search(plain):
            yield text, "several statements in one place: part them, so that each can be looked at"
        elif match := _CREATED.search(plain):
            created.add(match[1])
        elif match := _ALTERED.search(text):
            reasons = [] if match[1] in created else [_reason_of_action(action) for action in _actions(match[2])]
            yield from ((text, reason) for reason in reasons if reason)
        elif reason := _reason(plain, created, triggers):
            yield text, reason


def _without_strings(text: str) -> str:
    return _STRING_OR_COMMENT.sub("''", text)


def _reason(plain: str, created: set[str], triggers: list[re.Match[str]]) -> str:
    if plain.upper().startswith("DROP ") and not _HARMLESS.search(plain):
        if match := _DROPPED_TRIGGER.search(plain):
            # One that is created again below is only replaced.
            return "" if match[1] in {one[1] for one in triggers} else "it relies on what the trigger does"
        match = _DROPPED.search(plain)
        return "" if match and match[1] in created else "it uses what is dropped"
    if match := _UNIQUE_INDEX.search(plain):
        return "" if match[1] in created else _REFUSES
    if match := _TRIGGER.search(plain):
        return _REFUSES if match[2] not in created and _RAISES.search(match[3]) else ""
    if match := _TRIGGER_FUNCTION.search(plain):
        tables = {one[2] for one in triggers if match[1] in _CALLED.findall(one[3])}
        return _REFUSES if _RAISES.search(plain) and not (tables and tables <= created) else ""
    return "" if _HARMLESS.search(plain) else _UNKNOWN


def _actions(text: str) -> list[str]:
    """The actions of one ALTER TABLE: what commas outside of brackets and strings part."""
    depth, result = 0, [""]
    for part in re.findall(r"'(?:[^']|'')*'|[(),]|[^'(),]+", text):
        depth += {"(": 1, ")": -1}.get(part, 0)
        if part == "," and depth == 0:
            result.append("")
        else:
            result[-1] += part
    return [action.strip() for action in result]


def _reason_of_action(action: str) -> str:
    for pattern, reason in _ACTIONS:
        if pattern.search(_without_strings(action)):
            return reason
    column = _COLUMN.search(action)
    if column is None:
        return _UNKNOWN
    definition = _without_strings(column[2])
    if _UNIQUE.search(definition):
        return "it writes the same default twice"
    if _MISSING.search(definition):
        return "it writes rows without this column: give it a DEFAULT in the database"
    if _CHECK.search(definition) and not _takes_its_default(column[1], column[2]):
        return "it writes rows without this column, which the CHECK refuses, or may refuse"
    return ""


def _takes_its_default(name: str, definition: str) -> bool:
    """Whether a row without the column passes its CHECK, as SQLite says. What it cannot try counts as refused."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute(f'CREATE TABLE tried (id INTEGER, "{name}" {definition})')
        connection.execute("INSERT INTO tried (id) VALUES (1)")
    except sqlite3.Error:
        return False
    finally:
        connection.close()
    return True
