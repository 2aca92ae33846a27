"""Puts the messages of the instance into mails."""

from sqlalchemy import Connection

from ingot.features.spaces.appearance.current import read_look
from ingot.instance.mailing import Frame, finds_frame


@finds_frame
def frame_of_mails(conn: Connection) -> Frame:
    """The header and footer of pages, where the administrator wants them in mails too."""
    look = read_look(conn)
    return Frame(look.header_message, look.footer_message) if look.email_header_and_footer_enabled else Frame()
