"""The door of outgoing mails: closed while the instance is silent. What comes then is dropped, not kept."""

from collections.abc import Callable
from email.message import EmailMessage
from html import escape
from typing import NamedTuple

from sqlalchemy import Connection

from ingot.instance.outbound import is_silent
from ingot.kit import mail
from ingot.kit.services import Services


class Frame(NamedTuple):
    """What stands above and below the text of every mail; empty for nothing."""

    header: str = ""
    footer: str = ""

    def around_text(self, text: str) -> str:
        """The plain text with both."""
        return "\n\n".join(part for part in (self.header, text.rstrip("\n"), self.footer) if part) + "\n"

    def around_html(self, html: str) -> str:
        """The HTML document with both, as text."""
        header, footer = (f"<p>{escape(part)}</p>" if part else "" for part in self)
        return html.replace("<body>", f"<body>{header}", 1).replace("</body>", f"{footer}</body>", 1)


_finders: list[Callable[[Connection], Frame]] = []


def finds_frame(find: Callable[[Connection], Frame]) -> Callable[[Connection], Frame]:
    """Register who knows the frame of mails."""
    _finders.append(find)
    return find


def send(services: Services, to: str, subject: str, text: str) -> None:
    """Send one mail, where a mail server is configured."""
    frame = _frame(services)
    if frame is not None:
        mail.send(services.settings, to, subject, frame.around_text(text))


def send_message(services: Services, message: EmailMessage) -> None:
    """Send a mail that is written already, where a mail server is configured."""
    frame = _frame(services)
    if frame is None:
        return
    if any(frame):
        _put_around(message, frame)
    mail.send_message(services.settings, message)


def _frame(services: Services) -> Frame | None:
    """None while the instance is silent."""
    with services.db.read() as conn:
        if is_silent(conn):
            return None
        return next((frame for find in _finders if any(frame := find(conn))), Frame())


def _put_around(message: EmailMessage, frame: Frame) -> None:
    text, html = message.get_body(("plain",)), message.get_body(("html",))
    if text is not None:
        text.set_content(frame.around_text(text.get_content()))
    if html is not None:
        html.set_content(frame.around_html(html.get_content()), subtype="html")
