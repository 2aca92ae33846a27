"""The look as it is, remembered for a moment: every page asks for it."""

import msgspec
from sqlalchemy import Connection, select

from ingot.features.spaces.appearance.tables import PICTURES, appearances
from ingot.kit.db import Database
from ingot.kit.latest import Latest


class Look(msgspec.Struct, frozen=True):
    """Texts and addresses of pictures."""

    title: str = ""
    description: str = ""
    pwa_name: str = ""
    pwa_short_name: str = ""
    pwa_description: str = ""
    pwa_icon: str | None = None
    logo: str | None = None
    header_logo: str | None = None
    favicon: str | None = None
    member_guidelines: str = ""
    new_project_guidelines: str = ""
    profile_image_guidelines: str = ""
    header_message: str = ""
    footer_message: str = ""
    message_background_color: str = "#E75E40"
    message_font_color: str = "#FFFFFF"
    email_header_and_footer_enabled: bool = False


def read_look(conn: Connection) -> Look:
    """The look with its defaults."""
    row = conn.execute(select(appearances).where(appearances.c.id == 1)).one_or_none()
    if row is None:
        return Look()
    pictures = {name: _address(name, getattr(row, name)) for name in PICTURES}
    return msgspec.convert({**row.texts, **pictures}, Look)


def _read(db: Database) -> Look:
    with db.read() as conn:
        return read_look(conn)


_latest: Latest[Look] = Latest(_read)


def current_look(db: Database) -> Look:
    """The look of a moment ago at most."""
    return _latest.get(db)


def forget_look(db: Database) -> None:
    """Read it anew."""
    _latest.forget(db)


def _address(name: str, key: str | None) -> str | None:
    return None if key is None else f"/uploads/-/system/appearance/{name}/1/{key.rsplit('/', 1)[-1]}"
