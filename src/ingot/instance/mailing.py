"""The door of outgoing mails: closed while the instance is silent. What comes then is dropped, not kept."""

from email.message import EmailMessage

from ingot.instance.outbound import is_silent
from ingot.kit import mail
from ingot.kit.services import Services


def send(services: Services, to: str, subject: str, text: str) -> None:
    """Send one mail, where a mail server is configured."""
    if not _is_silent(services):
        mail.send(services.settings, to, subject, text)


def send_message(services: Services, message: EmailMessage) -> None:
    """Send a mail that is written already, where a mail server is configured."""
    if not _is_silent(services):
        mail.send_message(services.settings, message)


def _is_silent(services: Services) -> bool:
    with services.db.read() as conn:
        return is_silent(conn)
