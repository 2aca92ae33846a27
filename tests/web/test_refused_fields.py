"""A refused form says what is wrong at the field, and on top with a link to it."""

from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Browser as Chromium

from ingot.access.names import LOOSE_GROUP_PATH, STRICT_PATH
from ingot.kit.errors import ApiError, BadRequest, Failure, Invalid, NotFound, ParamError, Texts, Unsaved
from ingot.web.form_markup import with_attributes
from ingot.web.refusals import refusal_of
from tests.support.server import RunningServer
from tests.web.browsing import Browser, Visit
from tests.web.conftest import PATIENCE
from tests.web.test_browser import RULES, enter, press, violations

PLACE = "/smithy/anvil/-"
# Page, end of the form's address, what is typed, the field that is wrong and what is said of it.
REFUSED: list[tuple[str, str, dict[str, str], str, str]] = [
    ("/projects/new", "/projects", {"name": "Other", "new_path": "taken"}, "new_path",
     "Path has already been taken"),
    ("/groups/new", "/groups", {"name": "S", "path": "smithy"}, "path", "Path has already been taken"),
    (f"{PLACE}/issues/new", "/-/issues", {"title": "", "description": "Kept"}, "title", "Title can't be blank"),
    (f"{PLACE}/issues/new", "/-/issues", {"title": "A", "due_date": "soon"}, "due_date",
     "Due date must be a date, such as 2030-12-31"),
    (f"{PLACE}/labels/new", "/-/labels", {"name": "new", "color": "blu"}, "color", "Colour must be a valid color code"),
    (f"{PLACE}/settings/repository", "/protected_branches", {"name": "main"}, "name",
     "Protected branch 'main' already exists"),
    (f"{PLACE}/pipeline_schedules/new", "/schedules", {"description": "Nightly", "cron": "bad", "ref": "main"}, "cron",
     "When must be a cron expression with five fields, such as 0 22 * * 5"),
    (f"{PLACE}/branches", "/-/branches", {"branch": "main"}, "branch", "Branch already exists"),
    (f"{PLACE}/tags", "/-/tags", {"tag_name": "a..b"}, "tag_name", "Tag name invalid"),
    (f"{PLACE}/hooks", "/hooks", {"url": "nowhere"}, "url", "Invalid url given"),
    (f"{PLACE}/settings/access_tokens", "/tokens", {"name": "bot"}, "scopes[]", "Scopes can't be blank"),
    ("/smithy/anvil/edit", "/edit/transfer", {"namespace": "smithy"}, "namespace", "The project is already there."),
    ("/groups/smithy/-/edit", "/-/transfer", {"parent": "smithy"}, "parent", "A group cannot be moved into itself"),
    (f"{PLACE}/project_members", "/project_members", {"who": "chloe", "expires_at": "soon"}, "expires_at",
     "Until must be a date, such as 2030-12-31"),
    (f"{PLACE}/project_members", "/project_members", {"who": "chloe", "expires_at": "2020-01-01"}, "expires_at",
     "Until is in the past; choose a later date"),
    (f"{PLACE}/project_members", "/project_members", {"who": "a@example.com", "expires_at": "2020-01-01"},
     "expires_at", "This date is in the past. Choose a later date."),
    (f"{PLACE}/project_members", "/project_members", {"who": "two words@example"}, "who",
     "This is not a valid email address."),
    (f"{PLACE}/settings/ci_cd", "/variables", {"key": "A", "value": "short", "masked": "true"}, "value",
     "Value cannot be masked; masked values need at least 8 characters on one line"),
    (f"{PLACE}/settings/ci_cd", "/freeze_periods",
     {"freeze_start": "Friday", "freeze_end": "0 7 * * 1", "cron_timezone": "UTC"}, "freeze_start",
     "From must be a cron expression with five fields, such as 0 22 * * 5"),
    (f"{PLACE}/settings/ci_cd", "/freeze_periods",
     {"freeze_start": "0 22 * * 5", "freeze_end": "0 7 * * 1", "cron_timezone": "Moon"}, "cron_timezone",
     "Time zone is not a known time zone; use one such as Europe/Vienna"),
    (f"{PLACE}/labels/new", "/-/labels", {"name": "a,b", "color": "#112233"}, "name", "Name cannot contain commas"),
    (f"{PLACE}/labels/new", "/-/labels", {"name": "twice", "color": "#112233"}, "name",
     "A label with this name already exists."),
    ("/-/profile/account", "/account", {"username": "ben"}, "username",
     "This username is already taken by a user or group."),
]  # fmt: skip


@pytest.fixture(scope="module")
def taken(ada: Browser) -> None:
    """A project of her own, whose path is taken, and a label."""
    assert ada.send(ada.open("/projects/new"), "/projects", name="Taken", new_path="taken").path == "/ada/taken"
    ada.send(ada.open(f"{PLACE}/labels/new"), "/-/labels", name="twice", color="#112233")


def refuse(browser: Browser, page: str, action: str, fields: dict[str, str]) -> Visit:
    visit = browser.open(page)
    forms = [one for one in visit.tree.xpath("//form[@method='post']") if one.get("action").endswith(action)]
    return browser.send_form(visit, forms[-1], **fields)


def wrong_fields(visit: Visit) -> list[Any]:
    return [field for field in visit.tree.iter("input", "select", "textarea") if field.get("aria-invalid") == "true"]


@pytest.mark.costly
@pytest.mark.usefixtures("taken")
@pytest.mark.parametrize(("page", "action", "fields", "name", "words"), REFUSED)
def test_the_sentence_stands_at_the_field(
    ada: Browser, page: str, action: str, fields: dict[str, str], name: str, words: str
) -> None:
    visit = refuse(ada, page, action, fields)

    [field] = wrong_fields(visit)
    assert (visit.status >= 400, field.get("name")) == (True, name)
    [link] = visit.tree.xpath("//*[@role='alert']//a[starts-with(@href, '#')]")
    assert (link.get("href"), link.text.startswith(words)) == (f"#{field.get('id')}", True)
    about = field if name != "scopes[]" else field.getparent().getparent()
    [problem] = visit.tree.xpath(f"//*[@id='{about.get('aria-describedby').split()[0]}']")
    assert problem.text == link.text
    assert [one.get("name") for one in visit.tree.xpath("//*[@autofocus]")] == [name]
    assert all("open" in fold.attrib for fold in field.iterancestors("details"))
    ids = visit.tree.xpath("//@id")
    assert len(ids) == len(set(ids))
    assert "data-parts" not in visit.response.text
    assert all(value in visit.response.text for value in fields.values())


@pytest.mark.costly
def test_a_setting_of_the_instance_is_refused_in_its_section(smithy: RunningServer) -> None:
    root = Browser(smithy)
    root.enter_by_link("root")
    theme = "/admin/application_settings/general"

    visit = refuse(
        root, theme, "/accounts", {"default_projects_limit": "many", "commit_email_hostname": "kept.example"}
    )

    [field] = wrong_fields(visit)
    assert (field.get("name"), field.get("value")) == ("default_projects_limit", "many")
    [alert] = visit.tree.xpath("//section[@id='accounts']//*[@role='alert']")
    assert alert.find("a").get("href") == f"#{field.get('id')}"
    assert visit.tree.xpath("//*[@name='commit_email_hostname']/@value") == ["kept.example"]


@pytest.mark.costly
def test_several_wrong_fields_are_listed_and_the_first_has_the_focus(ada: Browser) -> None:
    visit = refuse(ada, f"{PLACE}/pipeline_schedules/new", "/schedules", {"description": "", "cron": "", "ref": ""})

    names = [field.get("name") for field in wrong_fields(visit)]
    assert names == ["description", "ref", "cron"]
    assert visit.tree.xpath("//*[@role='alert']//li/a/@href") == [f"#schedules_{name}" for name in names]
    assert visit.tree.xpath("//*[@autofocus]/@name") == ["description"]


@pytest.mark.costly
def test_buttons_of_a_group_are_described_together(ada: Browser) -> None:
    visit = refuse(ada, "/projects/new", "/projects", {"name": "Seen", "visibility": "everywhere"})

    [group] = visit.tree.xpath("//fieldset[@aria-describedby]")
    [problem] = visit.tree.xpath(f"//*[@id='{group.get('aria-describedby')}']")
    assert problem.text == "Visibility does not have a valid value"
    [link] = visit.tree.xpath("//*[@role='alert']//a")
    assert visit.tree.xpath(f"//*[@id='{link.get('href')[1:]}']/@type") == ["radio"]


@pytest.mark.costly
def test_of_forms_with_one_address_the_one_that_was_sent_is_marked(ada: Browser) -> None:
    ada.send(ada.open(f"{PLACE}/settings/repository"), "/protected_branches", name="release/*")
    page = ada.open(f"{PLACE}/settings/repository/branches/release%2F*")
    forms = [one for one in page.tree.xpath("//form") if (one.get("action") or "").endswith("/rules")]

    visit = ada.send_form(page, forms[1], who="nobody at all")

    [field] = wrong_fields(visit)
    assert field.get("id") == "merge_who"


@pytest.mark.costly
def test_what_is_wrong_with_no_field_takes_the_focus_itself(ada: Browser) -> None:
    visit = refuse(ada, f"{PLACE}/project_members", "/project_members", {"who": "nobody-of-that-name"})

    assert wrong_fields(visit) == []
    [alert] = visit.tree.xpath("//*[@autofocus]")
    assert (alert.get("role"), alert.get("tabindex"), alert.text) == ("alert", "-1", "User not found.")


@pytest.mark.costly
def test_a_field_that_the_page_chose_keeps_the_focus(smithy: RunningServer) -> None:
    stranger = Browser(smithy)

    visit = stranger.sign_in("ada", "not the password")

    [field] = visit.tree.xpath("//*[@autofocus]")
    assert field.tag == "input"


@pytest.mark.costly
@pytest.mark.parametrize(("width", "scripts"), [(1280, True), (360, False)])
def test_a_person_sees_and_mends_what_was_refused(
    smithy: RunningServer, chromium: Chromium, width: int, scripts: bool
) -> None:
    context = chromium.new_context(
        base_url=smithy.url, viewport={"width": width, "height": 800}, java_script_enabled=scripts
    )
    page = enter(smithy, context, "ada")
    page.goto("/groups/new")
    page.fill("#name", "The same")
    page.fill("#path", "smithy")
    press(page, "text=Create group")

    focused = page.locator(":focus")
    assert (focused.get_attribute("id"), focused.input_value(), page.input_value("#name")) == (
        "path", "smithy", "The same",
    )  # fmt: skip
    assert page.locator("#problem-path").inner_text() == "Path has already been taken"
    page.click("[role=alert] a")
    assert page.url.endswith("#path")
    page.fill("#path", f"smithy-{width}")
    press(page, "text=Create group")
    assert page.locator("[aria-invalid]").count() == 0
    context.close()


@pytest.mark.costly
@pytest.mark.usefixtures("taken")
def test_refused_forms_are_accessible_and_fit(smithy: RunningServer, chromium: Chromium) -> None:
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text()
    context = chromium.new_context(base_url=smithy.url)
    page = enter(smithy, context, "ada")
    page.set_default_timeout(PATIENCE)
    findings = []
    for where, action, fields, *_ in REFUSED:
        page.goto(where)
        form = page.locator(f"form[method=post][action$='{action}']").last
        # As a browser that checks nothing by itself sends it, also from a form that is folded.
        form.evaluate(
            "(form, fields) => { form.noValidate = true; for (const [name, value] of Object.entries(fields)) {"
            " const field = form.elements[name];"
            " if (['color', 'date'].includes(field.type)) field.type = 'text';"
            " if (field.type === 'checkbox') field.checked = true; else field.value = value; } }",
            fields,
        )
        with page.expect_navigation():
            form.evaluate("form => form.requestSubmit()")
        assert page.locator("[role=alert] a").count() == 1, where
        for width, scheme in ((1280, "light"), (360, "dark")):
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            page.set_viewport_size({"width": width, "height": 800})
            page.evaluate(axe)
            findings += violations(page, f"{where}, {width}", RULES)
    context.close()
    assert findings == []


@pytest.mark.parametrize(
    ("error", "parts"),
    [
        (Invalid({"name": ["is short", "is odd"]}), [("name", "is short"), ("name", "is odd")]),
        (ParamError("cron is missing, ref does not have a valid value"),
         [("cron", "is missing"), ("ref", "does not have a valid value")]),
        (ParamError("a, b are mutually exclusive"),
         [("a", "A, b are mutually exclusive"), ("b", "A, b are mutually exclusive")]),
        (ParamError("name is not one of red, blue"), [("name", "is not one of red, blue")]),
        (ParamError("a, b are missing, at least one parameter must be provided, url[x] is invalid"),
         [("a", "A, b are missing, at least one parameter must be provided"),
          ("b", "A, b are missing, at least one parameter must be provided"), ("url[x]", "is invalid")]),
        (ParamError("No parameters provided"), [("", "No parameters provided")]),
        (Unsaved("Failed to save group", {"path": ["has already been taken"]}), [("path", "has already been taken")]),
        (Texts(409, ["Name is taken", "Path is taken"]), [("", "Name is taken"), ("", "Path is taken")]),
        (BadRequest("no"), [("", "No.")]),
        (BadRequest("expires_at must be before 2027-11-19"),
         [("expires_at", "The date must be before 2027-11-19. Choose an earlier date.")]),
        (Failure(400, "Transfer failed: Group is already associated to the parent group."),
         [("parent", "The group is already in that parent group. Enter another group, or make it a top-level group.")]),
        (Invalid({"deploy_key.key": ["is invalid"], "deploy_key.fingerprint_sha256": ["cannot be generated"]}),
         [("key",
           "is not a valid SSH public key; paste the whole line, which starts with a key type such as ssh-ed25519")]),
        (Invalid({"fingerprint_sha256": ["has already been taken"]}),
         [("key", "is already in use; a key can belong to only one account")]),
        (BadRequest("Username has already been taken"),
         [("username", "This username is already taken by a user or group. Choose another one.")]),
        (Failure(400, "Transfer failed: Something new."), [("parent", "Something new.")]),
        (Invalid({"username": [LOOSE_GROUP_PATH, STRICT_PATH]}), [("username", STRICT_PATH)]),
        (NotFound("User"), [("", "User not found.")]),
    ],
)  # fmt: skip
def test_errors_are_told_apart_by_parameter(error: ApiError, parts: list[tuple[str, str]]) -> None:
    assert list(refusal_of(error).parts) == parts


@pytest.mark.parametrize(
    ("tag", "changed"),
    [
        ("<input>", '<input id="a" open>'),
        ("<input value='x > y' autofocus id=\"b\"/>", "<input value='x > y' id=\"a\" open/>"),
        ('<input value="a id=&quot;b&quot; autofocus ">', '<input value="a id=&quot;b&quot; autofocus " id="a" open>'),
    ],
)
def test_attributes_are_replaced_and_values_stay(tag: str, changed: str) -> None:
    assert with_attributes(tag, {"id": "a", "autofocus": None, "open": ""}) == changed
