"""What a statement of a migration does to the version before, which works on the new schema meanwhile.

Only what is known to harm nobody passes; a statement of another kind is refused because nobody has thought about it.
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping

from ingot.migrations.plain import SEPARATOR

NAME = r"(?:IF (?:NOT )?EXISTS )?(?:ONLY )?(?:\"?\w+\"?\.)?\"?(\w+)\"?"
_STRING_OR_COMMENT = re.compile(r"('(?:[^']|'')*')|--[^\n]*|/\*.*?\*/", re.DOTALL)
_BODY = re.compile(r"\$(\w*)\$.*?\$\1\$", re.DOTALL)
_REFUSES = "it may write rows that this refuses"
_UNKNOWN = "nobody has said yet what this does to it: add the kind of statement to checks/statements.py"


def pattern(text: str) -> re.Pattern[str]:
    """An expression for statements as `statements` gives them."""
    return re.compile(text, re.IGNORECASE | re.DOTALL)


CREATED = pattern(rf"^CREATE (?:VIRTUAL )?TABLE {NAME}")
_DROPPED = pattern(rf"^DROP TABLE {NAME}$")
_HARMLESS = pattern(
    r"^(?:CREATE INDEX|INSERT INTO|UPDATE|DELETE FROM|CREATE VIEW|CREATE SEQUENCE|CREATE EXTENSION"
    r"|LOCK|REINDEX|CLUSTER|VACUUM|ANALYZE|COMMENT)\b"
)
_UNIQUE_INDEX = pattern(rf"^CREATE UNIQUE INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?(?:[\w.\"]+ )??ON {NAME}")
_INDEX = pattern(rf"^CREATE (UNIQUE )?INDEX (?:CONCURRENTLY )?{NAME} ON\b")
_DROPPED_INDEXES = pattern(r"^DROP INDEX (?:CONCURRENTLY )?(?:IF EXISTS )?(.*?)(?: CASCADE| RESTRICT)?$")
_TRIGGER = pattern(rf"^CREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER {NAME} .*? ON {NAME}(.*)")
_DROPPED_TRIGGER = pattern(rf"^DROP TRIGGER {NAME}")
_TRIGGER_FUNCTION = pattern(rf"^CREATE (?:OR REPLACE )?FUNCTION {NAME} ?\(\) .*\bRETURNS TRIGGER\b")
_CALLED = pattern(r"\bEXECUTE (?:FUNCTION|PROCEDURE) (?:\w+\.)?\"?(\w+)")
# Without a word for its level PostgreSQL's RAISE refuses; SQLite's, with brackets, refuses or leaves the row out.
_RAISES = pattern(r"\bRAISE\b(?! (?:DEBUG|LOG|INFO|NOTICE|WARNING)\b)")

ALTERED = pattern(rf"^ALTER TABLE {NAME} (.*)")
_ACTIONS = (
    (pattern(r"^ALTER (?:COLUMN )?\S+ (?:DROP NOT NULL$|SET DEFAULT\b|SET STATISTICS\b)"), ""),
    (pattern(r"^ALTER (?:COLUMN )?\S+ (?:SET DATA )?TYPE\b"), "it writes the old type"),
    (pattern(r"^ALTER (?:COLUMN )?\S+ SET NOT NULL\b"), "it may write rows without a value"),
    (pattern(r"^ALTER (?:COLUMN )?\S+ DROP\b"), "it writes rows without this column"),
    (pattern(r"^DROP\b"), "it reads what is dropped"),
    (pattern(r"^RENAME\b"), "it knows the old name only"),
    (pattern(r"^ADD (?:CONSTRAINT|CHECK|UNIQUE|PRIMARY KEY|FOREIGN KEY|EXCLUDE)\b"), _REFUSES),
)
COLUMN = pattern(rf"^ADD (?:COLUMN )?{NAME} (.*)")
_UNIQUE = pattern(r"\b(?:UNIQUE|PRIMARY KEY)\b")
_MISSING = pattern(r"^(?!.*\b(?:DEFAULT|GENERATED|\w*SERIAL)\b).*\bNOT NULL\b")
_CHECK = pattern(r"\bCHECK ?\(")


def statements(script: str) -> Iterator[str]:
    """Each statement without its comments, in one line."""
    for statement in script.split(SEPARATOR):
        text = _STRING_OR_COMMENT.sub(lambda match: match[1] or " ", statement)
        yield " ".join(text.split()).removesuffix(";")


def indexes(script: str) -> dict[str, bool]:
    """The indexes that a script creates, and whether each is unique."""
    created = (_INDEX.search(text) for text in statements(script))
    return {match[2]: match[1] is not None for match in created if match}


def breaks(script: str, earlier: Mapping[str, bool]) -> Iterator[tuple[str, str]]:
    """Each statement that the version before cannot live with, and why; `earlier` are the indexes of its schema."""
    texts = [text for text in statements(script) if text]
    triggers = [match for text in texts for match in [_TRIGGER.search(without_strings(text))] if match]
    created: set[str] = set()
    old = dict(earlier)
    for text in texts:
        plain = without_strings(text)
        if match := _INDEX.search(plain):
            old.setdefault(match[2], False)  # it knows nothing of a new one
        if ";" in _BODY.sub("", plain) and not _TRIGGER.search(plain):
            yield text, "several statements in one place: part them, so that each can be looked at"
        elif match := CREATED.search(plain):
            created.add(match[1])
        elif match := ALTERED.search(text):
            actions = [] if match[1] in created else parts_between_commas(match[2])
            yield from ((text, reason) for reason in map(_reason_of_action, actions) if reason)
        elif match := _DROPPED_INDEXES.search(plain):
            yield from ((text, reason) for reason in _reasons_of_dropping(match[1], old))
        elif reason := _reason(plain, created, triggers):
            yield text, reason


def without_strings(text: str) -> str:
    """The statement with all its strings empty."""
    return _STRING_OR_COMMENT.sub("''", text)


def _reason(plain: str, created: set[str], triggers: list[re.Match[str]]) -> str:
    if plain.upper().startswith("DROP "):
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


def _reasons_of_dropping(names: str, old: Mapping[str, bool]) -> Iterator[str]:
    """Why these indexes have to stay."""
    for name in (one.strip().rpartition(".")[2].strip('"') for one in names.split(",")):
        if name not in old:
            yield f"no earlier migration creates {name}, so that nobody knows whether it is unique"
        elif old[name]:
            yield f"{name} is unique: its ON CONFLICT needs that, and it may rely on it to refuse rows"


def parts_between_commas(text: str) -> list[str]:
    """What commas outside of brackets and strings part: the actions of one ALTER TABLE, what one UPDATE sets."""
    depth, result = 0, [""]
    for part in re.findall(r"'(?:[^']|'')*'|[(),]|[^'(),]+", text):
        depth += {"(": 1, ")": -1}.get(part, 0)
        if part == "," and depth == 0:
            result.append("")
        else:
            result[-1] += part
    return [action.strip() for action in result]


def _reason_of_action(action: str) -> str:
    for kind, reason in _ACTIONS:
        if kind.search(without_strings(action)):
            return reason
    column = COLUMN.search(action)
    if column is None:
        return _UNKNOWN
    definition = without_strings(column[2])
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
