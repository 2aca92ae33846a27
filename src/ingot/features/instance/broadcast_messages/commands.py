"""Creating and changing broadcast messages."""

from datetime import timedelta

from sqlalchemy import Connection, insert, update

from ingot.features.instance.broadcast_messages.params import CreateMessage, UpdateMessage
from ingot.features.instance.broadcast_messages.rows import MessageRow
from ingot.features.instance.broadcast_messages.tables import broadcast_messages
from ingot.kit.clock import now
from ingot.kit.errors import Invalid
from ingot.kit.patterns import HEX, consists_of

SHOWN_FOR = timedelta(hours=1)
COLOUR_LENGTHS = (4, 7)  # `#RGB` and `#RRGGBB`
DEFAULTS: dict[str, object] = {
    "color": "#E75E40", "font": "#FFFFFF", "broadcast_type": "banner", "theme": "indigo", "dismissable": False,
    "target_access_levels": [], "target_path": None,
}  # fmt: skip


def create(tx: Connection, options: CreateMessage) -> MessageRow:
    """A new message."""
    moment = now()
    values = {**DEFAULTS, "starts_at": moment, **_given(options)}
    values.setdefault("ends_at", values["starts_at"] + SHOWN_FOR)  # type: ignore[operator]  # a moment
    created = insert(broadcast_messages).values(**values, updated_at=moment)
    return tx.execute(created.returning(*broadcast_messages.c)).one()


def change(tx: Connection, row: MessageRow, options: UpdateMessage) -> MessageRow:
    """Change what was sent."""
    values = _given(options)
    values.pop("id", None)
    changed = update(broadcast_messages).where(broadcast_messages.c.id == row.id)
    return tx.execute(changed.values(**values, updated_at=now()).returning(*broadcast_messages.c)).one()


def _given(options: CreateMessage | UpdateMessage) -> dict[str, object]:
    values = {name: value for name, value in options.given().items() if value is not None}
    problems: dict[str, list[str]] = {}
    if not str(values.get("message", "x")).strip():
        problems["message"] = ["can't be blank"]
    for name in ("color", "font"):
        if name in values and not _is_colour(str(values[name])):
            problems[name] = ["must be a valid color code"]
    if problems:
        raise Invalid(problems)
    return values


def _is_colour(text: str) -> bool:
    return text.startswith("#") and len(text) in COLOUR_LENGTHS and consists_of(text[1:], HEX)
