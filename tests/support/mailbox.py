"""A real SMTP server that keeps the mails of a test, and a server of Ingot that sends to it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiosmtpd.controller import Controller

from tests.support.databases import Databases
from tests.support.ports import free_port
from tests.support.server import RunningServer
from tests.support.waiting import LIMIT
from tests.support.world import World


class Mailbox:
    """Keeps what arrives."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.texts: list[bytes] = []  # as they came
        self.refused: dict[str, str] = {}  # answers to addresses that are not taken

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd looks for this name
        mail = message_from_bytes(envelope.content, policy=default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        self.texts.append(envelope.content)
        return "250 OK"

    def link(self, address: str) -> str:
        """The path in the last mail to the address, with its query."""
        mail = next(mail for mail in reversed(self.mails) if mail["To"] == address)
        urls = re.findall(r"https?://\S+\?\S+", mail.get_content())
        place = urlsplit(urls[-1])
        return f"{place.path}?{place.query}"

    def addresses(self) -> list[str]:
        """To whom mails were sent."""
        return [str(mail["To"]) for mail in self.mails]


@contextmanager
def mailing_world(databases: Databases, data: Path) -> Iterator[tuple[World, Mailbox]]:
    """A server with a mailbox; its jobs run when a test says so."""
    box = Mailbox()
    controller = Controller(box, hostname="127.0.0.1", port=free_port(), ready_timeout=LIMIT)
    controller.start()
    try:
        smtp_url = f"smtp://127.0.0.1:{controller.port}"
        with RunningServer(
            databases.fresh(data), data, outbound_allow_local=True, smtp_url=smtp_url, worker=False
        ) as running:
            yield World(running), box
    finally:
        controller.stop()
