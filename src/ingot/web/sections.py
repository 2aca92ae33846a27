"""Pages of settings, declared: sections that show and change what endpoints of the API hold.

HOOKS = Collection("hooks", "Web hooks", "/projects/:id/hooks", one="hook_id", name="url", inputs=(Input("url"),))
declare(pages, SettingsPage("hooks", "Web hooks", (HOOKS,)), project_view)
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from starlette.responses import RedirectResponse, Response

from ingot.kit.endpoint import Guard
from ingot.kit.errors import ApiError, NotFound
from ingot.web.call import PageCall, View
from ingot.web.fields import FormField, Input, form_fields, form_values
from ingot.web.registry import Pages
from ingot.web.rendering import sentence_of
from ingot.web.sending import text

REFUSALS = (400, 403, 404, 405, 409, 422)


@dataclass(frozen=True, slots=True)
class Settings:
    """One record with a form that changes it."""

    key: str
    title: str
    address: str
    inputs: tuple[Input, ...]
    method: str = "PUT"
    about: str = ""
    fixed: Mapping[str, object] = field(default_factory=dict)  # sent with every question
    is_optional: bool = False  # there may be no record yet: saving the form creates it


@dataclass(frozen=True, slots=True)
class Verb:
    """A button of a record: the endpoint below it that is called."""

    key: str
    words: str
    address: str  # below the collection's, such as `/:hook_id/test/push_events`
    method: str = "POST"
    values: Mapping[str, object] = field(default_factory=dict)
    when: tuple[str, object] | None = None  # a field of the row and the value that it must have


@dataclass(frozen=True, slots=True)
class Collection:
    """A list of records with a form that adds one."""

    key: str
    title: str
    address: str
    one: str  # the name of a record's key in the address
    name: str  # the field that names a record
    inputs: tuple[Input, ...] = ()
    edits: tuple[Input, ...] = ()
    by: str = "id"  # the field that holds a record's key
    about: str = ""
    empty: str = "None yet."
    facts: tuple[tuple[str, str], ...] = ()  # words, and the field or the kind of fact
    add_address: str = ""
    add: str = "Add"
    remove: str = "Remove"
    edit_method: str = "PUT"
    secret: str = ""  # the field of a new record that is shown once
    verbs: tuple[Verb, ...] = ()
    fixed: Mapping[str, object] = field(default_factory=dict)  # asked of the list
    new: Mapping[str, object] = field(default_factory=dict)  # sent with every new record
    searches: bool = False  # the list has a search field
    own_id: str = ""  # the parameter of a new record that names the page's project or group

    @property
    def one_address(self) -> str:
        """The address of one record."""
        return f"{self.address.removesuffix('/all')}/:{self.one}"


Section = Settings | Collection
Frame = Callable[..., View]


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """A page with its sections."""

    path: str
    title: str
    sections: tuple[Section, ...]
    tab: str = "settings"


@dataclass(slots=True)
class State:
    """A section as it was sent and refused, or with a secret that is shown once."""

    problem: str = ""
    values: dict[str, object] = field(default_factory=dict)
    secret: str = ""
    edited: str = ""


def declare(pages: Pages, page: SettingsPage, frame: Frame, guard: Guard) -> None:
    """Register the page and its forms."""

    def show_settings(call: PageCall) -> View:
        """The page; `edit` names a record whose form is open."""
        states = {}
        section, key = call.values.get("section"), call.values.get("edit")
        if isinstance(section, str) and isinstance(key, str):
            states[section] = State(edited=key)
        return _show(call, page, frame, states)

    def send_section(call: PageCall) -> View | Response:
        """Save a section, or add a record to it."""
        section = _section(page, call.path["section"])
        return _send(call, page, frame, section)

    def change_record(call: PageCall) -> View | Response:
        """Edit or remove one record, or press one of its buttons."""
        section = _section(page, call.path["section"])
        if not isinstance(section, Collection):
            raise NotFound
        return _change(call, page, frame, section)

    pages.get(page.path, guard=guard)(show_settings)
    pages.post(f"{page.path}/{{section}}", guard=guard)(send_section)
    pages.post(f"{page.path}/{{section}}/{{verb}}", guard=guard)(change_record)


def _section(page: SettingsPage, key: str) -> Section:
    for section in page.sections:
        if section.key == key:
            return section
    raise NotFound


def _send(call: PageCall, page: SettingsPage, frame: Frame, section: Section) -> View | Response:
    method = section.method if isinstance(section, Settings) else "POST"
    address = section.address if isinstance(section, Settings) else section.add_address or section.address
    given = form_values(call.params_at(method, address), section.inputs, call.values)
    if isinstance(section, Settings):
        given |= section.fixed
        if section.is_optional and not call.ask_or_none(section.address, **section.fixed):
            method = "POST"
    else:
        given |= section.new
    if isinstance(section, Collection) and section.own_id:
        given[section.own_id] = call.project.id if call.project_or_none is not None else call.group.id
    try:
        created = call.ask(address, method, **given)
    except ApiError as error:
        if error.status not in REFUSALS:
            raise
        return _show(call, page, frame, {section.key: State(sentence_of(error), given)}, error.status)
    if isinstance(section, Collection) and section.secret:
        return _show(call, page, frame, {section.key: State(secret=str(created.get(section.secret, "")))}, 201)
    return _back(call, page, section)


def _change(call: PageCall, page: SettingsPage, frame: Frame, section: Collection) -> View | Response:
    key, verb = str(call.values.get("key", "")), call.path["verb"]
    where = {section.one: key}
    try:
        if verb == "remove":
            call.ask(section.one_address, "DELETE", **where)
        elif verb == "edit":
            params = call.params_at(section.edit_method, section.one_address)
            given = form_values(params, section.edits, call.values)
            call.ask(section.one_address, section.edit_method, **where, **given)
        else:
            button = next((entry for entry in section.verbs if entry.key == verb), None)
            if button is None:
                raise NotFound
            address = f"{section.address.removesuffix('/all')}{button.address}"
            call.ask(address, button.method, **where, **button.values)
    except ApiError as error:
        if error.status not in REFUSALS or not key:
            raise
        state = State(sentence_of(error), edited=key if verb == "edit" else "")
        return _show(call, page, frame, {section.key: state}, error.status)
    return _back(call, page, section)


def _back(call: PageCall, page: SettingsPage, section: Section) -> Response:
    return RedirectResponse(f"{_root(call)}{page.path}?saved={section.key}#{section.key}", 303)


def _root(call: PageCall) -> str:
    if call.project_or_none is not None:
        return f"/{call.project.full_path}/-/"
    return f"/groups/{call.group.full_path}/-/" if call.group_or_none is not None else "/"


def _show(call: PageCall, page: SettingsPage, frame: Frame, states: dict[str, State], status: int = 200) -> View:
    shown = [_shown(call, section, states.get(section.key, State())) for section in page.sections]
    here = f"{_root(call)}{page.path}"
    data = {"sections": [part for part in shown if part], "page_title": page.title, "here": here,
            "search": text(call, "search"), "saved": call.values.get("saved", "")}  # fmt: skip
    return frame(call, "sections", page.tab, status, **data)


def _shown(call: PageCall, section: Section, state: State) -> dict[str, object] | None:
    """What the template shows of a section; None where the visitor may not see it."""
    if isinstance(section, Settings):
        if not call.may("GET", section.address):
            return None
        record = call.ask_or_none(section.address, **section.fixed)
        if record is None:
            if not section.is_optional:
                return None
            record = {}
        params = call.params_at(section.method, section.address)
        inputs = form_fields(params, section.inputs, {**record, **state.values})
        return {"kind": "settings", "section": section, "fields": inputs, "state": state}
    search = {"search": text(call, "search") or None} if section.searches else {}
    rows = call.ask_rows_or_none(section.address, **section.fixed, **search)
    if rows is None:
        return None
    adding: list[FormField] = []
    if section.inputs:
        address = section.add_address or section.address
        adding = form_fields(call.params_at("POST", address), section.inputs, state.values if not state.edited else {})
    edited = next((row for row in rows.items if str(row[section.by]) == state.edited), None) if state.edited else None
    editing: list[FormField] = []
    if edited is not None and section.edits:
        editing = form_fields(call.params_at(section.edit_method, section.one_address), section.edits, edited)
    return {
        "kind": "collection", "section": section, "rows": rows, "adding": adding, "editing": editing,
        "edited": edited, "state": state,
    }  # fmt: skip
