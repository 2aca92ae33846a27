"""Every page and form of the demo world, walked by everybody: nothing is dead, hidden things stay hidden, no control is
shown that would be refused."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest

from ingot.identity import tokens
from ingot.identity.authentication import user_by_name_or_id
from ingot.web.registry import HOME, all_pages
from tests.support.elsewhere import Elsewhere, running_elsewhere
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.world import World
from tests.web.browsing import Browser, Visit

pytestmark = pytest.mark.costly

ANVIL = "/projects/smithy%2Fanvil"
NOTEBOOK = "/projects/ada%2Fnotebook"
OF_A_KIND = 1
# They end the visit, or lead out of the world.
NEVER_SENT = ("/users/sign_", "/-/user_settings/password", "/admin/session", "/-/reference", "/oauth/authorize")
LAST = (
    "remove", "delete", "destroy", "block", "ban", "reject", "deactivate", "disable", "transfer", "archive", "leave",
)  # fmt: skip


@pytest.fixture(scope="module")
def elsewhere(smithy: RunningServer) -> Iterator[Elsewhere]:
    """Another server, which has a picture that a page shows."""
    with running_elsewhere() as running:
        client, text = smithy.client(ROOT_TOKEN), f"![Anvils]({running.put('/anvils.gif', b'GIF89a' + bytes(20))})"
        client.ok("PUT", "/application/settings", json={"outbound_local_requests_whitelist": [running.place]})
        client.ok("PUT", "/groups/smithy", json={"description": text})
        yield running


@pytest.fixture(scope="module")
def secrets(smithy: RunningServer) -> dict[str, str]:
    """Words that stand in one record each, with the address where the API shows it to those who may see it."""
    world = World(smithy)
    world.member(world.admin.ok("GET", "/groups/smithy"), world.user("gus"), "guest", kind="groups")
    client = smithy.client(ROOT_TOKEN)

    def create(path: str, /, **body: object) -> Any:
        return client.ok("POST", path, json=body)

    issue = create(f"{ANVIL}/issues", title="Hidden crucible", confidential=True)
    open_issue = create(f"{ANVIL}/issues", title="Plain crucible")
    note = create(f"{ANVIL}/issues/{open_issue['iid']}/notes", body="Quenched aside", internal=True)
    note_path = f"{ANVIL}/issues/{open_issue['iid']}/notes/{note['id']}"
    private = create(f"{NOTEBOOK}/issues", title="Private furnace")
    milestone = create(f"{NOTEBOOK}/milestones", title="Private deadline")
    create(f"{NOTEBOOK}/labels", name="privatelabel", color="#ff0000")
    create(f"{NOTEBOOK}/repository/branches", branch="private-branch", ref="main")
    create(f"{NOTEBOOK}/wikis", title="Private recipe", content="Private alloy")
    snippet = create(f"{ANVIL}/snippets", title="Private mould", visibility="private",
                     files=[{"file_path": "a", "content": "x"}])  # fmt: skip
    group = create("/groups", name="Closed guild", path="closed-guild", visibility="private")
    create(f"{ANVIL}/variables", key="HIDDEN_HEAT", value="melts-at-1538")
    create(f"{ANVIL}/hooks", url="https://hidden-hook.example/x")
    trigger = create(f"{ANVIL}/triggers", description="Hidden trigger")
    schedule = create(f"{ANVIL}/pipeline_schedules", description="Nightly", ref="main", cron="0 4 * * *")
    create(f"{ANVIL}/pipeline_schedules/{schedule['id']}/variables", key="HIDDEN_FUEL", value="burns-charcoal")
    return {
        "Hidden crucible": f"{ANVIL}/issues/{issue['iid']}", "Quenched aside": note_path,
        "Notebook": NOTEBOOK, "Private furnace": f"{NOTEBOOK}/issues/{private['iid']}",
        "Private deadline": f"{NOTEBOOK}/milestones/{milestone['id']}",
        "privatelabel": f"{NOTEBOOK}/labels/privatelabel",
        "private-branch": f"{NOTEBOOK}/repository/branches/private-branch",
        "Private alloy": f"{NOTEBOOK}/wikis/Private-recipe", "Private mould": f"{ANVIL}/snippets/{snippet['id']}",
        "Closed guild": f"/groups/{group['id']}", "melts-at-1538": f"{ANVIL}/variables/HIDDEN_HEAT",
        "hidden-hook": f"{ANVIL}/hooks", "Hidden trigger": f"{ANVIL}/triggers/{trigger['id']}",
        "burns-charcoal": f"{ANVIL}/variables", "Bellows": "/projects/smithy%2Ftools%2Fbellows",
    }  # fmt: skip


def walk(browser: Browser, start: str = "/") -> Iterator[tuple[str, str, Visit]]:
    """The pages that links lead to, one of each kind."""
    seen: set[str] = set()
    kinds: Counter[str] = Counter()
    waiting = [(start, "")]
    while waiting:
        path, source = waiting.pop(0)
        kind = kind_of(path)
        if path in seen or kinds[kind] >= OF_A_KIND or path.startswith("/-/reference"):
            continue
        seen.add(path)
        kinds[kind] += 1
        visit = browser.open(path)
        yield path, source, visit
        if visit.response.headers["content-type"].startswith("text/html"):
            waiting += [(link, path) for link in visit.links()]


def kind_of(path: str) -> str:
    """The same text for pages that are built alike."""
    address, _, query = path.partition("?")
    left, dash, right = address.partition("/-/")
    word, _, rest = right.partition("/")
    tail = "" if word in ("tree", "blob", "raw", "blame", "commits", "commit", "compare", "find_file") else rest
    names = sorted(part.partition("=")[0] for part in query.split("&"))
    shape = "".join("N" if sign.isdigit() else sign for sign in tail)
    return f"{left if not dash else 'groups' if left.startswith('/groups') else 'p'}/{word}/{shape}?{names}"


def forms_of(visit: Visit) -> Iterator[tuple[str, Any]]:
    """The forms of a page that change something, with the kind of their targets."""
    for form in visit.tree.iterfind(".//form[@method='post']"):
        target = urlsplit(urljoin(str(visit.response.url), form.get("action") or "")).path
        if not target.startswith(NEVER_SENT) and not target.endswith("/impersonate"):
            yield kind_of(target), form


def token_of(server: RunningServer, username: str) -> str:
    """A token of somebody."""
    with server.services.db.write() as tx:
        user = user_by_name_or_id(tx, username)
        assert user is not None
        return tokens.create(tx, user.id, "walk", ["api"])[1]


def faults_of(smithy: RunningServer, secrets: dict[str, str], visitor: str) -> list[str]:
    """What somebody meets who opens every kind of page and sends every kind of form."""
    browser = Browser(smithy)
    if visitor:
        browser.enter_by_link(visitor)
    client = smithy.client(token_of(smithy, visitor) if visitor else None)
    hidden = [word for word, path in secrets.items() if client.get(path).status_code != 200]
    forms: dict[str, tuple[Visit, Any]] = {}
    findings = []
    pictures: set[str] = set()
    count = 0
    for path, source, visit in walk(browser):
        count += 1
        if visit.status != 200:
            findings.append(f"{visitor}: {visit.status} {path} from {source}")
        findings += [f"{visitor}: {path} shows {word}" for word in hidden if word in visit.response.text]
        if visit.response.headers["content-type"].startswith("text/html"):
            for kind, form in forms_of(visit):
                forms.setdefault(kind, (visit, form))
            pictures.update(urljoin(path, source) for source in visit.tree.xpath("//img/@src"))
            findings += [] if set(visit.links()) - {path} else [f"{visitor}: {path} leads nowhere"]
    findings += [f"{visitor}: {path}" for path in pictures if not is_picture(browser.open(path))]
    findings += refused_forms(browser, forms)
    assert count > 30
    assert not visitor or len(forms) > 10
    return findings


def is_picture(visit: Visit) -> bool:
    """A browser would show it."""
    return visit.status == 200 and visit.response.headers["content-type"].startswith("image/")


def refused_forms(browser: Browser, forms: dict[str, tuple[Visit, Any]]) -> Iterator[str]:
    """Forms that were shown and are not taken; those that end something are sent last."""
    for kind in sorted(forms, key=lambda kind: max([LAST.index(word) for word in LAST if word in kind], default=-1)):
        visit, form = forms[kind]
        answer = browser.send_form(visit, form)
        if answer.status in (401, 403, 405):
            # A form that was sent before may have changed the page: only what it still shows has to be taken.
            visit = browser.open(visit.path)
            form = dict(forms_of(visit)).get(kind) if visit.status == 200 else None
            if form is None:
                continue
            answer = browser.send_form(visit, form)
        if answer.status in (401, 403, 405) or answer.status >= 500:
            yield f"{answer.status} for the form {kind} of {visit.path}: {answer.text[-300:]}"


def test_a_stranger_and_a_developer_meet_nothing_dead_hidden_or_refused(
    smithy: RunningServer, secrets: dict[str, str], elsewhere: Elsewhere
) -> None:
    assert [fault for visitor in ("", "chloe") for fault in faults_of(smithy, secrets, visitor)] == []
    assert elsewhere.times("/anvils.gif") == 1  # for both


def addresses() -> Iterator[str]:
    """Every declared page of the demo's project and group, also those to which no link leads."""
    values = {"rest": "main/README.md", "sha": "main", "ends": "main...v0.1", "part": "all"}
    for page in all_pages():
        if page.method == "GET" and page.tag != "site" and page.path != HOME and not page.path.endswith("/events"):
            parts = (
                re.sub(r"^\{(\w+).*\}$", lambda name: values.get(name[1], "1"), part) for part in page.path.split("/")
            )
            root = "/smithy/anvil" if page.tag == "project" else "/groups/smithy"
            yield f"{root}/-/{'/'.join(parts)}"


@pytest.mark.parametrize("visitor", ["", "dai"])
def test_no_address_shows_a_form_that_would_be_refused(smithy: RunningServer, visitor: str) -> None:
    browser = Browser(smithy)
    if visitor:
        browser.enter_by_link(visitor)
    forms: dict[str, tuple[Visit, Any]] = {}
    for address in addresses():
        visit = browser.open(address)
        assert visit.status < 500, address
        if visit.status == 200 and visit.response.headers["content-type"].startswith("text/html"):
            forms |= {kind: (visit, form) for kind, form in forms_of(visit)}
    assert bool(forms) == bool(visitor), forms
    assert list(refused_forms(browser, forms)) == []


@pytest.mark.scale
def test_nobody_meets_anything_dead_hidden_or_refused(smithy: RunningServer, secrets: dict[str, str]) -> None:
    """In this order: an administrator sends the forms that delete the others, too."""
    visitors = ("", "gus", "chloe", "ben", "root")
    assert [fault for visitor in visitors for fault in faults_of(smithy, secrets, visitor)] == []
