"""Changing the look."""

import secrets

from sqlalchemy import insert, select, update

from ingot.access.call import Call
from ingot.features.people.avatars import avatar_problems, picture_name
from ingot.features.spaces.appearance.current import forget_look
from ingot.features.spaces.appearance.params import ChangeAppearance
from ingot.features.spaces.appearance.tables import PICTURES, appearances
from ingot.kit.clock import now
from ingot.kit.errors import Invalid
from ingot.kit.patterns import HEX, consists_of

LONGEST = 65_535
COLOURS = ("message_background_color", "message_font_color")


def change(call: Call[ChangeAppearance]) -> None:
    """Store what was sent; old pictures are removed by the daily sweep."""
    given = call.params.given()
    _check(call.params, given)
    texts = {name: value for name, value in given.items() if name not in PICTURES and value is not None}
    pictures = {name: _store(call, name) for name in PICTURES if name in call.params.sent}
    with call.write() as tx:
        row = tx.execute(select(appearances).where(appearances.c.id == 1).with_for_update()).one_or_none()
        if row is None:
            tx.execute(insert(appearances).values(id=1, texts=texts, **pictures, updated_at=now()))
        else:
            changed = {"texts": {**row.texts, **texts}, **pictures, "updated_at": now()}
            tx.execute(update(appearances).where(appearances.c.id == 1).values(**changed))
    forget_look(call.services.db)


def _check(options: ChangeAppearance, given: dict[str, object]) -> None:
    problems = {name: avatar_problems(getattr(options, name)) for name in PICTURES if name in options.sent}
    for name, value in given.items():
        if isinstance(value, str) and len(value) > LONGEST:
            problems[name] = [f"is too long (maximum is {LONGEST} characters)"]
        elif name in COLOURS and isinstance(value, str) and not _is_colour(value):
            problems[name] = ["must be a valid color code"]
    problems = {name: texts for name, texts in problems.items() if texts}
    if problems:
        raise Invalid(problems)


def _store(call: Call[ChangeAppearance], name: str) -> str | None:
    upload = getattr(call.params, name)
    if upload is None:
        return None
    key = f"appearance/{secrets.token_hex(8)}/{picture_name(upload.filename)}"
    upload.file.seek(0)
    call.services.blobs.put(key, upload.file.read())
    return key


def _is_colour(text: str) -> bool:
    return text.startswith("#") and len(text) in (4, 7) and consists_of(text[1:].lower(), HEX)
