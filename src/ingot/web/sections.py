"""Pages of settings, declared: sections that show and change what endpoints of the API hold.

HOOKS = Collection("hooks", "Webhooks", "/projects/:id/hooks", one="hook_id", name="url", inputs=(Input("url"),))
declare(pages, SettingsPage("hooks", "Webhooks", (HOOKS,)), project_view)
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import msgspec
from starlette.responses import Response

from ingot.instance.outbound import is_silent
from ingot.kit.endpoint import Guard
from ingot.kit.errors import ApiError, Invalid, NotFound, Unauthorized
from ingot.web.call import PageCall, Rows, View
from ingot.web.edited_fields import Rival, refuse_rivals, seen_in
from ingot.web.edited_settings import drawn, rivals_of, touched
from ingot.web.fields import FormField, Input, form_fields, form_values
from ingot.web.guards import Proved
from ingot.web.kept_forms import declare_secrets
from ingot.web.one_time_secrets import show_once, with_secret
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import done, text
from ingot.web.typed_names import with_ids

REFUSALS = (400, 403, 404, 405, 409, 422)
DONE = {"edit": "Saved.", "remove": "Removed."}


# Whether the visitor may do something (`edit`, `remove`, the key of a verb) with a record, where that depends on it.
Rule = Callable[[PageCall, Mapping[str, Any], str], bool]


@dataclass(frozen=True, slots=True)
class Verb:
    """A button of a record: the endpoint below it that is called."""

    key: str
    words: str
    address: str  # below the section's, such as `/:hook_id/test/push_events`
    method: str = "POST"
    values: Mapping[str, object] = field(default_factory=dict)
    when: tuple[str, object] | None = None  # a field of the record and the value that it must have
    secret: str = ""  # the field of the answer that is shown once
    deletes: bool = False  # the record is gone afterwards
    is_page: bool = False  # its form is sent to a page below this one, which has the endpoint's work


@dataclass(frozen=True, slots=True)
class Settings:
    """One record with a form that changes it."""

    key: str
    title: str
    address: str
    inputs: tuple[Input, ...] = ()
    method: str = "PUT"
    about: str = ""
    fixed: Mapping[str, object] = field(default_factory=dict)  # sent with every question
    defaults: Mapping[str, object] = field(default_factory=dict)  # which the fields name
    is_optional: bool = False  # there may be no record yet: saving the form creates it
    creates: str = "POST"  # how it is created then
    facts: tuple[tuple[str, str], ...] = ()  # words, and the field or the kind of fact
    verbs: tuple[Verb, ...] = ()
    remove: str = ""  # the words of the button that deletes the record
    empty: str = ""
    allows: Rule | None = None
    adapt: Callable[[PageCall, dict[str, object]], dict[str, object]] | None = None  # what the form says, for the API
    sends: bool = False  # it makes this server send something to others, which silent mode prevents
    is_sensitive: bool = False  # as that of `Collection`


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
    scope: str = ""  # the field that tells records with the same key apart, which endpoints take as `filter`
    about: str = ""
    empty: str = "None yet."
    facts: tuple[tuple[str, str], ...] = ()  # words, and the field or the kind of fact
    add_address: str = ""
    add_method: str = "POST"
    add: str = "Add"
    remove: str = "Remove"
    edit_method: str = "PUT"
    secret: str = ""  # the field of a new record that is shown once
    verbs: tuple[Verb, ...] = ()
    fixed: Mapping[str, object] = field(default_factory=dict)  # asked of the list
    new: Mapping[str, object] = field(default_factory=dict)  # sent with every new record
    searches: bool = False  # the list has a search field
    parts: tuple[tuple[str, str], ...] = ()  # switches of the list that show a part of it, with their words
    asks: tuple[str, ...] = ()  # keys of the page that the list takes as parameters
    load: Callable[[PageCall], list[Any]] | None = None  # rows that no endpoint lists so
    # Any: records of the API.
    adds: Callable[[PageCall, Sequence[Mapping[str, Any]]], list[Mapping[str, Any]]] | None = None  # more facts of rows
    own_id: str = ""  # the parameter of a new record that names the page's project or group
    records: str = ""  # the address above `one`, where it is not the list's
    listed: str = ""  # the field of the record at `address` that holds the rows
    href: str = ""  # the page of one record, with `{}` for its key
    href_by: str = ""  # the field that stands for the key in it
    bodies: tuple[tuple[str, str], ...] = ()  # words, and a long field that is folded
    allows: Rule | None = None
    sends: bool = False  # as that of `Settings`
    is_sensitive: bool = False  # its forms ask who somebody is, as those that show a secret do by themselves

    @property
    def one_address(self) -> str:
        """The address of one record."""
        return f"{self.records or self.address.removesuffix('/all')}/:{self.one}"


Section = Settings | Collection
Frame = Callable[..., View]


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """A page with its sections."""

    path: str
    title: str
    sections: tuple[Section, ...]
    tab: str = "settings"
    keys: Callable[[PageCall], Mapping[str, object]] = lambda _: {}  # what addresses name besides the place
    above: str = ""  # where the visitor goes when the record of this page is deleted
    named_by: Mapping[str, str] = field(default_factory=dict)  # by variable of the path, the field that holds it
    titled_by: str = ""  # the field of the first section's record that is the heading


@dataclass(slots=True)
class State:
    """A section as it was sent and refused, or with a secret that is shown once."""

    problem: str = ""
    values: dict[str, object] = field(default_factory=dict)
    secret: str = ""
    secret_of: str = ""  # the name of its record
    edited: str = ""
    scope: str = ""  # of the record that is edited
    is_adding: bool = False
    rivals: list[Rival] = field(default_factory=list)


def declare(pages: Pages, page: SettingsPage, frame: Frame, guard: Guard) -> None:
    """Register the page and its forms."""

    def show_settings(call: PageCall) -> View:
        """The page; `edit` names a record whose form is open."""
        states: dict[str, State] = {}
        section, key = call.values.get("section"), call.values.get("edit")
        if isinstance(section, str) and isinstance(key, str):
            states[section] = State(edited=key, scope=text(call, "scope"))

        def show(secret: Mapping[str, str]) -> View:
            shown = {secret["section"]: State(secret=secret["value"], secret_of=secret["name"])} if secret else {}
            return _show(call, page, frame, states | shown)

        return with_secret(call, show)

    pages.get(page.path, guard=guard)(show_settings)
    for section in page.sections:
        _declare_forms(pages, page, frame, section, guard)


def _declare_forms(pages: Pages, page: SettingsPage, frame: Frame, section: Section, guard: Guard) -> None:
    """Register the addresses of one section. They name it in words: below `users/{name}` a variable would fit all."""

    def send_section(call: PageCall) -> View | Response:
        """Save a section, or add a record to it."""
        return _send(call, page, frame, section)

    def change_record(call: PageCall) -> View | Response:
        """Edit or remove one record, or press one of its buttons."""
        return _change(call, page, frame, section)

    inputs = section.inputs + (section.edits if isinstance(section, Collection) else ())
    for handler in (send_section, change_record):
        declare_secrets(handler, (entry.name for entry in inputs if entry.kind == "secret"))
    if _is_sensitive(section):
        guard = Proved(guard)
    pages.post(f"{page.path}/{section.key}", guard=guard)(send_section)
    pages.post(f"{page.path}/{section.key}/{{verb}}", guard=guard)(change_record)


def _is_sensitive(section: Section) -> bool:
    """Its records open doors: those that show a secret once do, and those that say so."""
    shows_secret = isinstance(section, Collection) and bool(section.secret)
    return section.is_sensitive or shows_secret or any(button.secret for button in section.verbs)


def show_page(call: PageCall, page: SettingsPage, frame: Frame, opened: str) -> View:
    """The page with the form of one section open that adds a record."""
    return _show(call, page, frame, {opened: State(is_adding=True)})


def show_problem(call: PageCall, page: SettingsPage, frame: Frame, problem: str, status: int) -> View:
    """The page with what is wrong with a form beside its sections."""
    return _show(call, page, frame, {page.sections[0].key: State(problem)}, status)


def _any_values(address: str) -> dict[str, object]:
    """Something for each variable of an address, where only a right is asked for."""
    return {part[1:]: "1" for part in address.split("/") if part.startswith(":") and part != ":id"}


def _named(keys: Mapping[str, object], address: str) -> dict[str, object]:
    """The page's own keys that the address names."""
    parts = address.split("/")
    return {name: value for name, value in keys.items() if f":{name}" in parts}


def _send(call: PageCall, page: SettingsPage, frame: Frame, section: Section) -> View | Response:
    method = section.method if isinstance(section, Settings) else section.add_method
    address = section.address if isinstance(section, Settings) else section.add_address or section.address
    try:
        params = call.params_at(method, address)
    except LookupError:
        raise NotFound from None  # a list to which nothing can be added
    keys = _named(page.keys(call), address)
    now = _compared(call, section, _record(call, section, keys)) if isinstance(section, Settings) else []
    given = form_values(params, touched(call, params, section.inputs, now), call.values)
    if now and not given:
        call.require(method, address, **keys)
        return _back(call, page, section, "Saved.")
    if isinstance(section, Settings):
        given |= section.fixed if section.adapt is None else section.adapt(call, given)
        if section.is_optional and not call.ask_or_none(section.address, **section.fixed, **keys):
            method = section.creates
    else:
        given |= section.new
    if isinstance(section, Collection) and section.own_id:
        given[section.own_id] = call.project.id if call.project_or_none is not None else call.group.id
    missing = [name for name in _named({entry.name: "" for entry in section.inputs}, address) if not given.get(name)]
    found = rivals_of(call, now)
    try:
        refuse_rivals(found)
        if missing:  # the API has no address without them
            raise Invalid({name: ["can't be blank"] for name in missing})
        created = call.ask(address, method, **with_ids(call, section.inputs, given), **keys)
    except ApiError as error:
        if error.status not in REFUSALS:
            raise
        return _show(call, page, frame, {section.key: State(refusal_of(error), given, rivals=found)}, error.status)
    if isinstance(section, Collection) and section.secret:
        # A new runner comes back without its name.
        return _back_with_secret(call, page, section, section.secret, {**given, **created})
    if isinstance(section, Settings):
        return _back(call, page, section, "Saved.", created)
    return _back(call, page, section, "Added.")


def _change(call: PageCall, page: SettingsPage, frame: Frame, section: Section) -> View | Response:
    key, verb = str(call.values.get("key", "")), call.path["verb"]
    try:
        answer, button = _press(call, page, section, verb, key)
    except ApiError as error:
        if error.status not in REFUSALS or not (key or isinstance(section, Settings)):
            raise
        state = State(refusal_of(error))
        if verb == "edit" and isinstance(section, Collection):
            params = call.params_at(section.edit_method, section.one_address)
            state.edited, state.scope = key, text(call, "scope")
            state.values = form_values(params, section.edits, call.values)
        return _show(call, page, frame, {section.key: state}, error.status)
    if button is not None and button.secret:
        return _back_with_secret(call, page, section, button.secret, answer)
    is_deleted = verb == "remove" if button is None else button.deletes
    if isinstance(section, Settings) and is_deleted and page.above:
        return done(call, f"{_root(call)}{page.above}", "Deleted.")
    return _back(call, page, section, DONE[verb] if button is None else f"“{button.words}” completed.")


def _press(call: PageCall, page: SettingsPage, section: Section, verb: str, key: str) -> tuple[Any, Verb | None]:
    """Do what a button says: the answer, and the button if it is one of the section's own."""
    keys = page.keys(call)
    one = section.address if isinstance(section, Settings) else section.one_address
    where = _where(call, section, key)
    if verb == "remove" and section.remove:
        return call.ask(one, "DELETE", **where, **_named(keys, one)), None
    if verb == "edit" and isinstance(section, Collection) and section.edits:
        given = form_values(call.params_at(section.edit_method, one), section.edits, call.values)
        sent = with_ids(call, section.edits, given)
        return call.ask(one, section.edit_method, **where, **sent, **_named(keys, one)), None
    button = next((entry for entry in section.verbs if entry.key == verb), None)
    if button is None:
        raise NotFound
    address = _address(section, button)
    return call.ask(address, button.method, **where, **button.values, **_named(keys, address)), button


def _where(call: PageCall, section: Section, key: str) -> dict[str, object]:
    """What names the record of a form."""
    if isinstance(section, Settings):
        return {}
    scope = text(call, "scope") if section.scope else ""
    return {section.one: key, **({"filter": {section.scope: scope}} if scope else {})}


def _address(section: Section, button: Verb) -> str:
    above = section.address if isinstance(section, Settings) else section.one_address.rpartition("/")[0]
    return f"{above}{button.address}"


def _back(
    call: PageCall, page: SettingsPage, section: Section, words: str, record: Mapping[str, object] | None = None
) -> Response:
    """The page again; where the form has renamed its record, at the new address."""
    renamed = {name: str(record[source]) for name, source in page.named_by.items()} if record else None
    return done(call, f"{_here(call, page, renamed)}#{section.key}", words, section.key)


# Any: a record of the API.
def _back_with_secret(
    call: PageCall, page: SettingsPage, section: Section, secret: str, record: Mapping[str, Any]
) -> Response:
    """The page again, which shows a new secret once: this field of the record."""
    name = str(record.get(section.name) or "") if isinstance(section, Collection) else ""
    return show_once(call, f"{_here(call, page)}#{section.key}", section=section.key, value=record[secret], name=name)


def _root(call: PageCall) -> str:
    is_of_place = call.project_or_none is not None or call.group_or_none is not None
    return f"{call.own_root}/" if is_of_place else "/"


def _here(call: PageCall, page: SettingsPage, renamed: Mapping[str, str] | None = None) -> str:
    """The page's address, with the values of this visit."""
    path = page.path
    for name, value in {**call.path, **(renamed or {})}.items():
        path = path.replace(f"{{{name}:int}}", value).replace(f"{{{name}}}", quote(value, safe=""))
    return f"{_root(call)}{path}"


def _show(call: PageCall, page: SettingsPage, frame: Frame, states: dict[str, State], status: int = 200) -> View:
    keys = page.keys(call)
    shown = [_shown(call, section, states.get(section.key, State()), keys) for section in page.sections]
    if shown[:1] == [None] and keys:
        raise NotFound
    if call.actor.is_anonymous and not any(shown):
        raise Unauthorized
    data: dict[str, object] = {
        "sections": [part for part in shown if part], "page_title": _title(page, shown[0]),
        "here": _here(call, page), "search": text(call, "search"),
    }  # fmt: skip
    if any(section.sends for section in page.sections):
        data["is_silent"] = is_silent(call.conn)
    return frame(call, "sections", page.tab, status, **data)


# Any: a record of the API.
def _title(page: SettingsPage, first: Mapping[str, Any] | None) -> str:
    record = first["record"] if first is not None and page.titled_by else {}
    return str(record.get(page.titled_by) or page.title)


def _shown(call: PageCall, section: Section, state: State, keys: Mapping[str, object]) -> dict[str, object] | None:
    """What the template shows of a section; None where the visitor may not see it."""
    if isinstance(section, Settings):
        return _shown_record(call, section, state, _named(keys, section.address))
    return _shown_rows(call, section, state, keys)


def _shown_record(call: PageCall, section: Settings, state: State, keys: dict[str, object]) -> dict[str, object] | None:
    if not call.may("GET", section.address, **keys):
        return None
    record = _record(call, section, keys)
    if record is None:
        if not section.is_optional:
            return None
        record = {}
    inputs: list[FormField] = []
    may = section.allows or _all
    if section.inputs and call.may(section.method, section.address, **keys) and may(call, record, "edit"):
        params = call.params_at(section.method, section.address)
        fields = form_fields(params, section.inputs, {**_values(record), **state.values})
        inputs = [_with_default(_with_source(entry, record.get(entry.name)), section.defaults) for entry in fields]
    elif section.allows is not None and not section.facts and not section.verbs:
        return None
    return {
        "kind": "settings", "section": section, "fields": inputs, "state": state, "record": record,
        "seen": seen_in(drawn(_compared(call, section, record))) if inputs else "",
        "verbs": [button for button in section.verbs
                  if (button.when is None or record.get(button.when[0]) == button.when[1])
                  and (button.is_page or call.may(button.method, _address(section, button), **keys))
                  and may(call, record, button.key)],
        "can_remove": bool(section.remove and record) and call.may("DELETE", section.address, **keys)
                      and may(call, record, "remove"),
    }  # fmt: skip


def _values(record: Mapping[str, object]) -> dict[str, object]:
    """Its fields without where each was set."""
    return {
        name: entry["value"] if isinstance(entry, dict) and "value" in entry else entry
        for name, entry in record.items()
    }


def _compared(call: PageCall, section: Settings, record: Mapping[str, object] | None) -> list[FormField]:
    """The fields as they are, where the endpoint leaves those alone that it is not sent."""
    if section.is_optional or section.adapt is not None or not record:
        return []
    return form_fields(call.params_at(section.method, section.address), section.inputs, _values(record))


def _with_default(entry: FormField, defaults: Mapping[str, object]) -> FormField:
    """The field says what holds where nobody has set it."""
    if entry.name not in defaults:
        return entry
    value = defaults[entry.name]
    words = dict(entry.options).get(str(value), "")
    if isinstance(value, bool):
        words = "yes" if value else "no"
    elif value in (None, "", []):
        words = "empty"
    elif not words:
        words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return replace(entry, hint=f"{entry.hint} Default: {words}.".strip())


# Any: a record of the API.
def _record(call: PageCall, section: Settings, keys: Mapping[str, object]) -> Any:
    """The record of a section; None where there is none, or what it belongs to is not set up."""
    try:
        return call.ask_or_none(section.address, **section.fixed, **keys)
    except ApiError as error:
        if error.status == HTTPStatus.BAD_REQUEST:
            return None
        raise


def _with_source(entry: FormField, said: object) -> FormField:
    """The field of a setting that a place above has locked says so: what is saved here counts once that is lifted."""
    if not isinstance(said, dict) or not said.get("locked"):
        return entry
    return replace(entry, hint=f"{entry.hint} Locked by the {said.get('inherited_from') or 'instance'}.".strip())


def _shown_rows(
    call: PageCall, section: Collection, state: State, keys: Mapping[str, object]
) -> dict[str, object] | None:
    where = _named(keys, section.address) | {name: keys[name] for name in section.asks}
    search: dict[str, object] = {"search": text(call, "search") or None} if section.searches else {}
    part = next((name for name, _ in section.parts if name == text(call, "part")), "")
    search |= {part: True} if part else {}
    if section.load is not None:
        loaded = section.load(call)
        rows = Rows(loaded, 1, None, None, len(loaded)) if loaded else None
    elif section.listed:
        record = call.ask_or_none(section.address, **where)
        items = None if record is None else record.get(section.listed)
        rows = None if items is None else Rows(items, 1, None, None, len(items))
    else:
        rows = _list(call, section, {**section.fixed, **search, **where})
    if rows is None:
        return None
    if section.adds is not None:
        rows = msgspec.structs.replace(rows, items=section.adds(call, rows.items))
    adding: list[FormField] = []
    address = section.add_address or section.address
    if section.inputs and call.may(section.add_method, address, **{**_any_values(address), **_named(keys, address)}):
        adding = form_fields(
            call.params_at(section.add_method, address), section.inputs, state.values if not state.edited else {}
        )
    edited = _edited(section, state, rows)
    editing: list[FormField] = []
    if edited is not None and section.edits:
        editing = form_fields(
            call.params_at(section.edit_method, section.one_address), section.edits, {**edited, **state.values}
        )
    return {
        "kind": "collection", "section": section, "rows": rows, "adding": adding, "editing": editing,
        "edited": edited, "state": state, "root": _root(call), "part": part, **_rights(call, section, rows, keys),
        "allows": partial(section.allows or _all, call),
    }  # fmt: skip


# Any: a record of the API.
def _edited(section: Collection, state: State, rows: Rows) -> Any:
    """The record whose form is open."""
    named = [row for row in rows.items if state.edited and str(row[section.by]) == state.edited]
    exact = [row for row in named if section.scope and row[section.scope] == state.scope]
    return next(iter(exact or named), None)


def _all(_: PageCall, __: Mapping[str, object], ___: str) -> bool:
    return True


def _list(call: PageCall, section: Collection, values: dict[str, object]) -> Rows | None:
    try:
        return call.ask_rows_or_none(section.address, **values)
    except ApiError as error:
        if error.status == HTTPStatus.BAD_REQUEST:  # what the list belongs to is not set up
            return None
        raise


def _rights(call: PageCall, section: Collection, rows: Rows, keys: Mapping[str, object]) -> dict[str, object]:
    """What the visitor may do with the records, judged by the first."""
    if not rows.items:
        return {"can_edit": False, "can_remove": False, "verbs": []}
    key = {section.one: rows.items[0][section.by]}

    def may(method: str, address: str) -> bool:
        return call.may(method, address, **key, **_named(keys, address))

    return {
        "can_edit": bool(section.edits) and may(section.edit_method, section.one_address),
        "can_remove": bool(section.remove) and may("DELETE", section.one_address),
        "verbs": [button for button in section.verbs if may(button.method, _address(section, button))],
    }
