"""Pages of administration: what their forms change, and acting as somebody else."""

from datetime import timedelta

import pytest
from sqlalchemy import delete

from ingot.access.tables import project_authorizations
from ingot.kit.clock import today
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.waiting import until
from tests.web.browsing import Browser, Visit, form_values

pytestmark = pytest.mark.costly

KEY = f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{'A' * 41}RB rae@host"


def test_administration_is_for_administrators(smithy: RunningServer, ada: Browser) -> None:
    assert ada.open("/admin/users").status == 403
    root = Browser(smithy)
    root.enter_by_link("root")
    created = root.send(root.open("/admin/users"), "/users", name="Eve Stone", username="eve", email="eve@example.com")
    assert "Eve Stone" in created.text
    client = smithy.client(ROOT_TOKEN)
    eve = client.ok("GET", "/users?username=eve")[0]
    root.send(created, "/users/block", key=str(eve["id"]))
    assert client.ok("GET", "/users?username=eve")[0]["state"] == "blocked"
    page = root.open("/admin/application_settings/network")
    saved = root.send(page, "/limits", rate_limiting_response_text="Later.")
    assert "Saved." in saved.text
    assert client.ok("GET", "/application/settings")["rate_limiting_response_text"] == "Later."
    silent = root.send(page, "/outbound", silent_mode_enabled="on")
    assert "Silent mode is on" in silent.text
    assert "Silent mode is on" not in root.send(silent, "/outbound", silent_mode_enabled=[]).text
    lifted = root.send(root.open("/admin/users/eve"), "/person/unblock")
    assert (lifted.path, client.ok("GET", "/users?username=eve")[0]["state"]) == ("/admin/users/eve", "active")
    for path in (
        "", "/plan_limits", "/background_jobs", "/health_check", "/hooks", "/feature_flags", "/runners", "/topics",
        "/jobs", "/audit_events", "/application_settings", "/application_settings/ci_cd", "/background_jobs/1",
    ):  # fmt: skip
        assert root.open(f"/admin{path}").status == 200, path
    assert root.open("/admin/users/nobody").status == 404
    gone = root.open("/admin/background_jobs/987654321")
    assert (gone.path, "Job #987654321 no longer exists." in gone.text) == ("/admin/background_jobs", True)


def test_what_is_stored_is_examined_and_repaired_from_a_page(smithy: RunningServer, ada: Browser) -> None:
    client, root = smithy.client(ROOT_TOKEN), Browser(smithy)
    root.enter_by_link("root")
    rights = project_authorizations
    anvil = client.ok("GET", "/projects/smithy%2Fanvil")["id"]

    def begin(what: str) -> Visit:
        begun = root.send(root.open("/admin/health_check"), f"/health_check/{what}")
        assert begun.path == "/admin/health_check"
        # One after another: as long as one runs, there is no button for the next.
        return until(
            lambda: (
                seen
                if (seen := root.open("/admin/health_check")).tree.xpath("//form[contains(@action, '/repair')]")
                else None
            )
        )

    assert ada.open("/admin/health_check").status == 403
    with smithy.services.db.write() as tx:
        tx.execute(delete(rights).where(rights.c.project_id == anvil))
    found = begin("examine")
    open_ones = found.tree.xpath(
        "//*[@id='everything']//li[contains(., 'the stored permissions do not')][contains(., '--repair')]"
    )
    assert (len(open_ones) > 0, "Checked" in found.text) == (True, True)
    repaired = begin("repair")
    assert repaired.tree.xpath(
        "//*[@id='everything']//li[contains(., 'the stored permissions do not')][contains(., 'Repaired')]"
    )
    assert not begin("examine").tree.xpath("//*[@id='everything']//li[contains(., 'stored permissions')]")
    assert [event["event_name"] for event in client.ok("GET", "/audit_events")].count("instance_repair_started") == 1


def test_administrators_change_a_person_on_a_page_of_their_own(smithy: RunningServer) -> None:
    client, root = smithy.client(ROOT_TOKEN), Browser(smithy)
    root.enter_by_link("root")
    account = {"name": "Rae", "username": "rae", "email": "r@example.com", "admin": True, "force_random_password": True}
    rae = f"/users/{client.ok('POST', '/users', json=account)['id']}"
    client.ok("POST", f"{rae}/keys", json={"title": "Laptop", "key": KEY})

    saved = root.send(root.open("/admin/users/rae"), "/person", username="rae-s", note="Night shift")

    assert (saved.path, "Saved." in saved.text) == ("/admin/users/rae-s", True)
    after = client.ok("GET", rae)
    assert (after["note"], after["is_admin"]) == ("Night shift", True)
    added = root.send(saved, "/emails", email="rae2@example.com")
    assert ("rae2@example.com" in added.text, "Laptop" in added.text) == (True, True)
    assert "Laptop" not in root.send(added, "/keys/remove").text


def test_an_administrator_acts_as_a_person_and_stops(smithy: RunningServer) -> None:
    client, root, ben = smithy.client(ROOT_TOKEN), Browser(smithy), Browser(smithy)
    root.enter_by_link("root")
    ben.enter_by_link("ben")

    acting = root.send(root.open("/admin/users/ben"), "/impersonate")

    assert "you are impersonating Ben" in acting.text
    assert (root.open("/admin").status, root.http.get("/api/v4/user").json()["username"]) == (403, "ben")
    assert root.send(acting, "/admin/impersonation").path == "/admin/users/ben"
    assert root.http.get("/api/v4/user").json()["username"] == "root"
    assert root.send(acting, "/admin/impersonation").status in (403, 404)
    assert ben.open("/-/user_settings/active_sessions").response.text.count(">127.") == 1  # only their own
    other = Browser(smithy)
    other.enter_by_link("ben")
    mine = ben.open("/-/user_settings/active_sessions")
    assert ben.send(mine, "/active_sessions/end", session="x").status == 404
    ben.send(mine, "/active_sessions/end")
    assert other.open("/-/user_settings/active_sessions").path == "/users/sign_in"
    assert ben.open("/-/user_settings/active_sessions").status == 200
    said = [event for event in client.ok("GET", "/audit_events") if event["event_name"] == "user_impersonation"]
    words = ("Stopped Impersonation", "Started Impersonation")
    assert [(event["author_id"], event["details"]["custom_message"]) for event in said[:2]] == [(1, w) for w in words]


def test_nobody_acts_as_a_person_longer_than_they_may(smithy: RunningServer) -> None:
    client, root = smithy.client(ROOT_TOKEN), Browser(smithy)
    root.enter_by_link("root")
    page = root.open("/admin/users/chloe")
    settings = "/application/settings"
    client.ok("PUT", settings, json={"impersonation_enabled": False})
    try:
        assert root.send(page, "/impersonate").status == 404
        assert "/impersonate" not in root.open("/admin/users/chloe").response.text
        client.ok("PUT", settings, json={"impersonation_enabled": True})
        assert "you are impersonating" in root.send(page, "/impersonate").text
        client.ok("PUT", settings, json={"impersonation_enabled": False})
        assert root.open("/-/user_settings/profile").path == "/users/sign_in"
    finally:
        client.ok("PUT", settings, json={"impersonation_enabled": True})
    # Once ended it stays so, also where the right comes back: that of the instance, or that of the administrator.
    assert root.open("/-/user_settings/profile").path == "/users/sign_in"
    root.enter_by_link("root")
    chloe, as_ben = client.ok("GET", "/users?username=chloe")[0]["id"], Browser(smithy)
    client.ok("PUT", f"/users/{chloe}", json={"admin": True})
    as_ben.enter_by_link("chloe")
    assert "you are impersonating Ben" in as_ben.send(as_ben.open("/admin/users/ben"), "/impersonate").text
    for is_admin in (False, True):
        client.ok("PUT", f"/users/{chloe}", json={"admin": is_admin})
        assert as_ben.open("/-/user_settings/profile").path == "/users/sign_in"
    client.ok("PUT", f"/users/{chloe}", json={"admin": False})
    said = next(event for event in client.ok("GET", "/audit_events") if event["event_name"] == "user_impersonation")
    assert (said["author_id"], said["details"]["custom_message"]) == (chloe, "Stopped Impersonation")
    assert "you are impersonating" in root.send(root.open("/admin/users/chloe"), "/impersonate").text
    own = root.http.cookies["_ingot_own_session"]
    root.send(root.open("/"), "/users/sign_out")
    assert root.open("/admin").path == "/users/sign_in"
    # Who signs out then has ended their own session too.
    root.http.cookies.set("_ingot_session", own)
    assert root.open("/admin").path == "/users/sign_in"
    said = next(event for event in client.ok("GET", "/audit_events") if event["event_name"] == "user_impersonation")
    assert (said["author_id"], said["details"]["custom_message"]) == (1, "Stopped Impersonation")


def test_topics_are_merged(smithy: RunningServer) -> None:
    client, root = smithy.client(ROOT_TOKEN), Browser(smithy)
    root.enter_by_link("root")
    first, second = (client.ok("POST", "/topics", json={"name": name, "title": name})["id"] for name in ("ore", "ores"))
    assert "/admin/topics/merge" in root.open("/admin/topics").links()
    form = root.open("/admin/topics/merge")
    same = root.send(form, "/merge", source_topic_id=first, target_topic_id=first)
    assert (same.status, "identical" in same.text) == (400, True)
    assert root.send(form, "/merge", source_topic_id=first, target_topic_id=second).path == "/admin/topics"
    assert [client.get(f"/topics/{number}").status_code for number in (first, second)] == [404, 200]


def test_a_group_is_exported_and_made_again_from_the_archive(smithy: RunningServer, ada: Browser) -> None:
    form = ada.open("/groups/smithy/-/edit")
    assert "No archive yet." in form.text
    assert ada.open("/groups/smithy/-/export/download").status == 404
    ada.send(form, "/-/export")
    ready = until(lambda: "The archive is ready." in (seen := ada.open("/groups/smithy/-/edit")).text and seen)
    archive = ada.open(next(link for link in ready.links() if link.endswith("/export/download"))).response.content

    new = ada.open("/groups/new")
    token = form_values(new.tree.xpath("//form[@action='/groups/import']")[0])
    for path, content, status in (("smithy", archive, 400), ("copied", b"no archive", 200), ("copy", archive, 200)):
        sent = {"file": ("group.tar.gz", content, "application/gzip")}
        data = {**token, "name": path, "path": path}
        assert ada.http.post("/groups/import", data=data, files=sent).status_code == status, path
    until(lambda: "The import is complete." in ada.open("/groups/copy/-/import").text)
    client = smithy.client(ROOT_TOKEN)
    rows = ada.open("/groups/copy/-/import").tree.xpath("//table//tr[td]")
    told = {row.findtext("th"): [cell.text or cell.findtext("span") for cell in row.iterfind("td")] for row in rows}
    assert told["Groups"] == ["2", "2", "0"]
    assert told["Members"][2] == "0"
    names = {row["name"] for row in client.ok("GET", "/groups/smithy/labels?only_group_labels=true")}
    assert names <= {row["name"] for row in client.ok("GET", "/groups/copy/labels")}
    until(lambda: "The import of this group failed" in ada.open("/groups/copied").text)
    assert ada.open("/groups/copied/-/import").tree.xpath("//p[contains(@class, 'problem')]/text()")
    assert "was not imported" in ada.open("/groups/smithy/-/import").text


def test_keys_members_and_attributes_come_from_elsewhere(smithy: RunningServer, ada: Browser) -> None:
    client, root = smithy.client(ROOT_TOKEN), Browser(smithy)
    root.enter_by_link("root")
    target = client.ok("POST", "/projects", json={"path": "annexe", "namespace_id": _id_of(smithy, "/groups/smithy")})
    place, page = f"/projects/{target['id']}", "/smithy/annexe/-/settings/repository"
    source = client.ok("POST", "/projects", json={"path": "source", "namespace_id": _id_of(smithy, "/groups/smithy")})
    fay = {"name": "Fay", "username": "fay", "email": "fay@example.com", "force_random_password": True}
    person = client.ok("POST", "/users", json=fay)["id"]
    client.ok("POST", f"/projects/{source['id']}/members", json={"user_id": person, "access_level": 30})

    public = root.send(
        root.open("/admin/deploy_keys"), "/deploy_keys", title="For all", key=KEY.replace("ARB ", "BRB ")
    )
    assert "For all" in public.text
    assert "For all" in ada.open(page).tree.xpath("string(//section[@id='offered_keys'])")
    ada.send(ada.open(page), "/offered_keys/enable")
    assert [row["title"] for row in client.ok("GET", f"{place}/deploy_keys")] == ["For all"]
    assert ada.open(page).tree.xpath("//section[@id='offered_keys']") == []

    members = ada.open("/smithy/annexe/-/project_members")
    assert ada.send(members, "/import", project="smithy/nothing").status == 422
    assert "Fay" in ada.send(members, "/import", project="smithy/source").text

    for address, api in (
        ("/admin/users/fay", f"/users/{person}"), ("/groups/smithy/-/edit", "/groups/smithy"),
        ("/smithy/annexe/-/settings/advanced", place),
    ):  # fmt: skip
        refused = root.send(root.open(address), "/custom_attributes", key="", value="7")
        assert (refused.status, "can't be blank" in refused.text) == (400, True), address
        added = root.send(root.open(address), "/custom_attributes", key="cost/centre", value="7")
        edited = root.open(f"{address}?section=custom_attributes&edit=cost%2Fcentre")
        assert "cost/centre" in added.text
        root.send(edited, "/custom_attributes/edit", value="8")
        assert client.ok("GET", f"{api}/custom_attributes") == [{"key": "cost/centre", "value": "8"}]
        root.send(added, "/custom_attributes/remove")
        assert client.ok("GET", f"{api}/custom_attributes") == []
    assert "Custom attributes" not in ada.open("/groups/smithy/-/edit").text

    issued = root.send(root.open("/admin/users/fay"), "/tokens", name="Robot", **{"scopes[]": "read_api"})
    secret = issued.tree.find(".//input[@id='secret_tokens']").get("value")
    assert smithy.client(secret).ok("GET", "/user")["username"] == "fay"
    root.send(root.open("/admin/users/fay"), "/tokens/remove")
    assert smithy.client(secret).get("/user").status_code == 401
    linked = root.send(root.open("/admin/users/fay"), "/identities", provider="saml", extern_uid="f.fay")
    assert client.ok("GET", f"/users/{person}")["identities"][0]["extern_uid"] == "f.fay"
    root.send(linked, "/identities/remove")
    assert client.ok("GET", f"/users/{person}")["identities"] == []


def _id_of(server: RunningServer, path: str) -> int:
    return int(server.client(ROOT_TOKEN).ok("GET", path)["id"])


def test_pictures_inputs_and_logins_are_set_in_forms(smithy: RunningServer, ada: Browser) -> None:
    client, root = smithy.client(ROOT_TOKEN), Browser(smithy)
    root.enter_by_link("root")
    picture = b"\x89PNG\r\n\x1a\n" + b"x" * 20

    def send(path: str, section: str, name: str, content: bytes | None, **more: str) -> Visit:
        form = root.open(path).tree.xpath(f"//section[@id='{section}']//form[@enctype]")[0]
        files = {name: ("a.png" if content else "", content or b"", "image/png")}
        return Visit(root.http.post(form.get("action"), data={**form_values(form), **more}, files=files))

    client.ok("POST", "/topics", json={"name": "forging", "title": "Forging"})
    topic = f"/topics/{client.ok('GET', '/topics?search=forging')[0]['id']}"
    for path, section, name, api, field in (
        ("/admin/appearance", "appearance", "header_logo", "/application/appearance", "header_logo"),
        (f"/admin/topics?section=topics&edit={topic[8:]}", "topics", "avatar", topic, "avatar_url"),
    ):
        assert send(path, section, name, b"<svg/>").status == 400
        assert send(path, section, name, picture).status == 200
        assert client.ok("GET", api)[field]
        assert send(path, section, name, None).status == 200
        assert client.ok("GET", api)[field]  # a form without a file leaves it
        assert send(path, section, name, None, **{f"remove_{name}": "true"}).status == 200
        assert client.ok("GET", api)[field] is None

    schedules = f"/projects/{_id_of(smithy, '/projects/smithy%2Fanvil')}/pipeline_schedules"
    listed = ada.send(
        ada.open("/smithy/anvil/-/pipeline_schedules/new"), "/schedules", description="Hot", ref="main",
        inputs="heat=7\nmetal=iron\n",
    )  # fmt: skip
    number = next(row["id"] for row in client.ok("GET", schedules) if row["description"] == "Hot")
    one = ada.open(next(link for link in listed.links() if link.endswith(f"/{number}/edit")))
    ada.send(one, "/schedule", inputs="heat=true")
    assert client.ok("GET", f"{schedules}/{number}")["inputs"] == [{"name": "heat", "value": True}]


def test_visitors_are_sent_where_the_settings_say(smithy: RunningServer) -> None:
    root, stranger = Browser(smithy), Browser(smithy)
    root.enter_by_link("root")

    def save(**values: str) -> Visit:
        form = root.open("/admin/application_settings/general")
        return root.send(form, "/signing_in", **{"home_page_url": "", "after_sign_out_path": "", **values})

    def after_signing_out() -> Visit:
        leaving = Browser(smithy)
        leaving.enter_by_link("chloe")
        left = leaving.send(leaving.open("/"), "/users/sign_out")
        assert leaving.open("/dashboard/todos").path == "/users/sign_in"
        return left

    assert save(home_page_url="javascript:alert(1)").status == 400
    assert save(home_page_url=f"{smithy.url}/explore/groups").status == 200
    sent = stranger.http.get("/", follow_redirects=False)
    assert (sent.status_code, sent.headers["location"]) == (302, f"{smithy.url}/explore/groups")
    assert (stranger.open("/").path, root.open("/").path) == ("/explore/groups", "/")  # who is signed in stays
    save(home_page_url=f"{smithy.url}/")
    assert stranger.http.get("/", follow_redirects=False).status_code == 200  # and not round in circles

    save(after_sign_out_path="/explore/topics")
    assert after_signing_out().path == "/explore/topics"
    save(after_sign_out_path="https://example.com/bye?a=1&b=2")
    elsewhere = after_signing_out()  # browsers follow no form to another server
    assert elsewhere.tree.xpath("//a[@class='button primary']/@href") == ["https://example.com/bye?a=1&b=2"]
    save()
    assert after_signing_out().path == "/"
    assert stranger.open("/").path == "/"


def test_own_tokens_live_no_longer_than_the_instance_lets_them(smithy: RunningServer, ada: Browser) -> None:
    client, place = smithy.client(ROOT_TOKEN), "/-/user_settings/personal_access_tokens"
    client.ok("PUT", "/application/settings", json={"max_personal_access_token_lifetime": 30})
    try:
        form = ada.open(place)
        late = (today() + timedelta(days=31)).isoformat()
        refused = ada.send(form, place, name="Long", scope_read_api="1", expires_at=late, description="For long")
        assert (refused.status, "The date must be before 20" in refused.text) == (400, True)
        assert "For long" in refused.response.text
        # Whatever the browser says: a power is for administrators only.
        issued = ada.send(form, place, name="Short", scope_self_rotate="1", scope_sudo="1", description="For a while")
        secret = issued.tree.find(".//input[@id='token']").get("value")
    finally:
        client.ok("PUT", "/application/settings", json={"max_personal_access_token_lifetime": None})
    token = smithy.client(secret).ok("GET", "/personal_access_tokens/self")
    assert (token["scopes"], token["description"]) == (["self_rotate"], "For a while")
    assert token["expires_at"] <= (today() + timedelta(days=30)).isoformat()
    root = Browser(smithy)
    root.enter_by_link("root")
    offers = [bool(who.open(place).tree.xpath("//input[@name='scope_sudo']")) for who in (ada, root)]
    assert offers == [False, True]
