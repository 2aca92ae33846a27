"""Mails through the configured server; without one nothing is sent."""

import smtplib
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from urllib.parse import unquote, urlsplit

from sqlalchemy import Connection, Engine

from ingot.kit.clock import now
from ingot.settings import Settings

TIMEOUT = 20
_MARK = "ingot_sends_mail"


def send(settings: Settings, to: str, subject: str, text: str) -> bool:
    """Send one mail; returns whether a mail server is configured."""
    message = new_message()
    message["From"], message["To"], message["Subject"] = settings.mail_from, to, header_text(subject)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text)
    return send_message(settings, message)


def new_message() -> EmailMessage:
    """A mail without headers and content."""
    from ingot.kit.mail_headers import POLICY

    return EmailMessage(POLICY)


def header_text(text: str) -> str:
    """A text that people wrote, for a header: on one line, and without `=?`, the start of an encoded word.

    Python decodes encoded words when a header is set, and writes the line breaks inside them as they are: the rest of a
    title would become headers and content of the mail.
    """
    return " ".join(text.replace("=?", "= ?").split())


def sends_mail(engine: Engine, settings: Settings) -> None:
    """Let transactions of this engine know whether a mail server is configured."""
    engine.update_execution_options(**{_MARK: bool(settings.smtp_url)})


def is_sent_from(tx: Connection) -> bool:
    """Whether a mail server is configured."""
    return bool(tx.get_execution_options().get(_MARK))


def send_message(settings: Settings, message: EmailMessage) -> bool:
    """Send a mail that is written already; returns whether a mail server is configured."""
    if not settings.smtp_url:
        return False
    # Servers that relay mails add neither, and those that receive them take mails without for junk.
    if "Date" not in message:
        message["Date"] = format_datetime(now())
    if "Message-ID" not in message:
        message["Message-ID"] = make_msgid(domain=urlsplit(settings.public_url).hostname or "localhost")
    place = urlsplit(settings.smtp_url)
    kind = smtplib.SMTP_SSL if place.scheme == "smtps" else smtplib.SMTP
    with kind(
        place.hostname or "localhost", place.port or (465 if place.scheme == "smtps" else 25), timeout=TIMEOUT
    ) as smtp:
        if place.scheme == "smtp+starttls":
            smtp.starttls()
        if place.username:
            smtp.login(unquote(place.username), unquote(place.password or ""))
        smtp.send_message(message)
    return True
