"""A browser without a screen: it keeps cookies, follows redirects and sends the forms of a page as they are."""

import itertools
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
from lxml import etree
from sqlalchemy import select, update

from ingot.features.people.user_pages import SESSION_COOKIE
from ingot.identity.authentication import user_by_name_or_id
from ingot.identity.proofs import PROVED_AT
from ingot.identity.sessions import digest
from ingot.identity.sign_in_links import create_sign_in_path
from ingot.identity.tables import sessions
from ingot.kit.clock import now
from tests.support import plain_http
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import LIMIT

_addresses, _messages = itertools.count(), itertools.count()
# Tests may take longer than the ten minutes after which people are asked again who they are.
FAR = now() + timedelta(days=1)


@dataclass
class Visit:
    """A page that was opened."""

    response: httpx.Response

    @property
    def status(self) -> int:
        return self.response.status_code

    @property
    def path(self) -> str:
        return self.response.url.path

    @property
    def is_waiting(self) -> bool:
        return b'data-fills="page"' in self.response.content

    @property
    def text(self) -> str:
        """What can be read on the page."""
        return " ".join("".join(self.tree.find("body").itertext()).split())

    @cached_property
    def tree(self) -> Any:
        return etree.HTML(self.response.text)

    def links(self) -> list[str]:
        """Paths on this server that the page leads to, with their queries."""
        here = str(self.response.url)
        result = []
        for link in self.tree.iterfind(".//a[@href]"):
            parts = urlsplit(urljoin(here, link.get("href")))
            if parts.netloc == urlsplit(here).netloc:
                result.append(parts.path + (f"?{parts.query}" if parts.query else ""))
        return result


class Browser:
    """One person's browser."""

    def __init__(self, server: RunningServer, **headers: str) -> None:
        self.server = server
        # Each from an address of its own, so that nobody is counted for others. Nobody closes a browser of these
        # tests: it leaves no connection open.
        alone = httpx.Limits(max_keepalive_connections=0)
        address = f"127.0.0.{next(_addresses) % 250 + 2}"
        wire = httpx.HTTPTransport(verify=plain_http.CONTEXT, local_address=address, limits=alone)
        self.http = plain_http.client(base_url=server.url, headers=headers, follow_redirects=True, transport=wire)

    def open(self, path: str) -> Visit:
        """The page, once it has what git takes long for: until then it renews itself."""
        visit = Visit(self.http.get(path))
        limit = time.monotonic() + LIMIT
        while visit.is_waiting and time.monotonic() < limit:
            visit = Visit(self.http.get(path))
        return visit

    def statements_after_a_write(self, path: str) -> int:
        """What a visit costs while nothing is known from visits before, whatever runs in the background meanwhile."""
        administrator = self.server.client(ROOT_TOKEN)

        def visit() -> int:
            administrator.ok("PUT", "/user/status", json={"message": f"writing {next(_messages)}"})
            return int(self.open(path).response.headers["x-query-count"])

        # The smallest of four: the first may have to look up what lasts, as what a job changed that ran meanwhile.
        return min(visit() for _ in range(4))

    def send(self, visit: Visit, action: str, **fields: Any) -> Visit:
        """Send the form of a page whose action ends so, with these fields changed."""
        forms = [form for form in visit.tree.iterfind(".//form") if (form.get("action") or "").endswith(action)]
        return self.send_form(visit, forms[0], **fields)

    def send_form(self, visit: Visit, form: Any, **fields: Any) -> Visit:
        """Send one form of a page as it is, with these fields changed."""
        target = urljoin(str(visit.response.url), form.get("action") or "")
        return Visit(self.http.post(target, data={**form_values(form), **fields}))

    def sign_in(self, login: str, password: str, return_to: str = "/") -> Visit:
        page = self.open(f"/users/sign_in?return_to={return_to}")
        entered = self.send(page, "/users/sign_in", **{"user[login]": login, "user[password]": password})
        self.set_proof(FAR)
        return entered

    def enter_by_link(self, username: str) -> Visit:
        """Come in by a link that works once."""
        with self.server.services.db.write() as tx:
            user = user_by_name_or_id(tx, username)
            assert user is not None
            path = create_sign_in_path(tx, user.id)
        entered = self.send(self.open(path), path)
        self.set_proof(FAR)
        return entered

    def set_proof(self, moment: datetime) -> None:
        """When the person of this session proved who they are, as its row says."""
        set_proof(self.server, self.http.cookies.get(SESSION_COOKIE) or "", moment)


def set_proof(server: RunningServer, clear: str, moment: datetime) -> None:
    """As that of a browser, for the value of its cookie."""
    mine = sessions.c.digest == digest(clear)
    with server.services.db.write() as tx:
        session = tx.execute(select(sessions).where(mine)).one_or_none()
        if session is not None:
            details = {**session.details, PROVED_AT: int(moment.timestamp())}
            began = min(moment, session.created_at)
            tx.execute(update(sessions).where(mine).values(created_at=began, details=details))


def form_values(form: Any) -> dict[str, Any]:
    """What a browser would send if nobody changed the form; several ticked boxes of one name are a list."""
    values: dict[str, Any] = {}
    for field in form.iter("input", "textarea"):
        # The line break behind the tag of a text is not part of it.
        name, value = field.get("name"), field.get("value") or (field.text or "").removeprefix("\n")
        if name and (field.get("type") not in ("checkbox", "radio") or "checked" in field.attrib):
            values[name] = value if name not in values else [*_listed(values[name]), value]
    for field in form.iter("select"):
        options = list(field.iter("option"))
        chosen = next((option for option in options if "selected" in option.attrib), options[0])
        values[field.get("name")] = chosen.get("value", chosen.text)
    return values


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
