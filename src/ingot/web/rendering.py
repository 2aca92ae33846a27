"""Templates: found by name, everything escaped, loaded when the first page is asked for."""

from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse

from ingot import __version__
from ingot.features.people.user_pages import (
    forget_flash,
    read_flash,
    tab_width_of,
    theme_of,
)
from ingot.features.people.users import avatar_url
from ingot.features.spaces.appearance import current_look
from ingot.identity.form_tokens import masked
from ingot.identity.sessions import IMPERSONATOR
from ingot.web import assets
from ingot.web.call import PageCall, View
from ingot.web.reactions import offered_reactions

if TYPE_CHECKING:
    from jinja2 import Environment

FORM_COOKIE = "_ingot_form"
PROBLEM_MARK = " data-parts='"  # of the line that `problem_line` writes
WAIT = "60"  # seconds, where a form says that it was sent too often

# Fields that people write texts in.
TYPED = (
    "title", "body", "note", "description", "content", "message", "commit_message",
    "merge_commit_message", "squash_commit_message", "summary",
)  # fmt: skip


@cache
def environment() -> "Environment":
    """The templates with their filters."""
    from pathlib import Path

    from jinja2 import ChainableUndefined, Environment, FileSystemLoader

    from ingot.web import filters
    from ingot.web.edited_fields import seen_in
    from ingot.web.log_rows import log_rows
    from ingot.web.template_lines import TemplateLines

    env = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        undefined=ChainableUndefined,
        extensions=[TemplateLines],
        auto_reload=False,
    )
    env.filters.update(filters.FILTERS)
    env.filters.update(log_rows=log_rows, seen_in=seen_in)
    env.globals.update(asset=assets.address, own_version=__version__)
    return env


def render_view(call: PageCall, view: View) -> HTMLResponse:
    """The page of a view."""
    from ingot.web.banners import banners

    data = {**_frame(call), "banners": banners(call), "flash": read_flash(call.request, call.session), **view.data}
    text = environment().get_template(f"{view.template}.html").render(data)
    if PROBLEM_MARK in text:
        from ingot.web.refused_fields import mark_refusal

        text = mark_refusal(text, call.request.url.path, call.values, is_answer=not call.is_read)
    headers = {"Retry-After": WAIT, **view.headers} if view.status == 429 else view.headers
    response = HTMLResponse(text, view.status, headers)
    forget_flash(call.request, response)
    return response


def render_part(call: PageCall, template: str, data: dict[str, object]) -> str:
    """A piece of a page, with what every page has."""
    return environment().get_template(f"{template}.html").render({**_frame(call), **data})


def _frame(call: PageCall) -> dict[str, object]:
    me = None
    token = ""
    if not call.actor.is_anonymous:
        me = {"username": call.actor.username, "name": call.actor.name, "is_admin": call.actor.is_admin}
    if call.session is not None:
        token = masked(call.session.csrf)
        if me is not None:
            me["picture"] = avatar_url(call.session, "") if call.session.avatar else ""
            me["impersonator"] = call.session.details.get(IMPERSONATOR)
            me["may_be_admin"] = call.session.is_admin and not call.actor.is_admin
            me["is_in_admin_mode"] = call.actor.is_admin and "admin_mode_until" in call.session.details
    look = current_look(call.services.db)

    def guidelines(name: str) -> object:
        from ingot.web.markdown import markdown

        return markdown(call, getattr(look, name))

    return {
        "me": me, "token": token, "look": look, "guidelines": guidelines, "offered_reactions": offered_reactions,
        **_place(call),
    }  # fmt: skip


def _choices(request: Request) -> dict[str, object]:
    """What this browser was told about the look of pages."""
    return {"theme": theme_of(request), "tab_width": tab_width_of(request)}


def _place(call: PageCall) -> dict[str, object]:
    path = call.request.url.path
    return {
        "here": quote(path, safe=""),
        "way_back": way_back(call.request),
        "path": path,
        "base_url": call.base_url,
        **_choices(call.request),
    }


def way_back(request: Request) -> str:
    """The address of this page, as a sign-in page takes it; that of a form is of no use without what was sent.

    As it was asked for: a file may have signs in its name that mean something in addresses. Links of mails to pages of
    accounts end in keys, which go nowhere else.
    """
    raw: bytes = request.scope.get("raw_path") or request.scope["path"].encode()
    path = raw.partition(b"?")[0].decode("latin-1")
    query = request.url.query if request.method == "GET" and not path.startswith("/users/") else ""
    return quote(f"{path}?{query}" if query else path, safe="")
