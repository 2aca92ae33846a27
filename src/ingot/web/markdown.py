"""Markdown on a page: its references are looked up with the visitor's rights before it is rendered."""

from urllib.parse import quote

from markupsafe import Markup

from ingot.access.call import Call
from ingot.access.subjects import Project
from ingot.features.spaces.projects import to_html
from ingot.web.call import PageCall
from ingot.web.foreign_pictures import picture_key
from ingot.web.references import References, references_of, usable_labels
from ingot.web.texts import LONGEST_MARKDOWN, plain, rendered_markdown

ATTEMPTS_FOR_MAILS = 2


def markdown(call: PageCall, text: str | None, *, ref: str = "", folder: str = "", base: str = "") -> Markup:
    """The text as safe HTML. Relative addresses begin in a folder of a revision, or at `base`, a wiki's."""
    if not text:
        return Markup("")
    if call.rendering_left <= 0 or len(text) > LONGEST_MARKDOWN:
        return plain(text)
    place = {"pictures": picture_key(call.services), "own": call.base_url}
    if call.project_or_none is not None:
        path = f"/{call.project.full_path}"
        place["project"] = path
        place |= _in_repository(call.project, ref, folder)
    if base:
        place |= {"blob": base, "raw": base, "wiki": base}
    looked_up = references_of(call, text)
    # Of files and pages of a wiki: a page shows one of them, and many comments, which would all wait for the store.
    shared = call.services.shared_cache if ref or base else None
    html, seconds = rendered_markdown(text, looked_up.links, place, looked_up.words, shared)
    call.rendering_left -= seconds
    return _with_named_boxes(html)


def _with_named_boxes(html: Markup) -> Markup:
    """The text with boxes of task lists that say what they show also to those who listen."""
    named = html.replace(Markup("<input checked"), Markup('<input aria-label="Done" checked'))
    return named.replace(Markup("<input disabled"), Markup('<input aria-label="Open" disabled'))


def _in_repository(project: Project, ref: str = "", folder: str = "") -> dict[str, str]:
    """Where relative addresses of a text begin: those of issues and comments on the default branch."""
    revision = ref or quote(project.row.default_branch or "", safe="/")
    if not revision:
        return {}
    path, below = f"/{project.full_path}/-", f"{revision}/{folder}".strip("/")
    return {"blob": f"{path}/blob/{below}", "raw": f"{path}/raw/{below}"}


def named_labels(call: PageCall, text: str) -> str:
    """The text of a system note with labels by their names: it has them by their numbers."""
    if "~" not in text or call.project_or_none is None:
        return text
    for row in usable_labels(call):
        if f"~{row['id']}" in text:
            name = str(row["name"])
            written = f"~{name}" if name.isalnum() else f'~"{name}"'
            text = " ".join(written if word == f"~{row['id']}" else word for word in text.split(" "))
    return text


def render_for_api(call: Call, text: str, project: Project | None, *, references: bool) -> str:
    """As a page shows it, for the endpoint that renders texts."""
    if len(text) > LONGEST_MARKDOWN:
        return str(plain(text))
    page = PageCall(call.request, call.endpoint, {}, call.services)
    page.actor, page.request_id = call.actor, call.request_id
    place = {"own": call.base_url}
    if project is not None:
        page.project = project
        place |= {"project": f"/{project.full_path}", **_in_repository(project)}
    try:
        looked_up = references_of(page, text) if references else References()
        html, _ = rendered_markdown(text, looked_up.links, place, looked_up.words)
    finally:
        page.close()
    return str(html).strip()


def render_for_mail(text: str, links: dict[str, str], place: dict[str, str]) -> str:
    """As a page shows it, for mails, which nobody loads again: a busy renderer is asked twice."""
    unformatted = plain(text)
    if len(text) > LONGEST_MARKDOWN:
        return str(unformatted)
    for _ in range(ATTEMPTS_FOR_MAILS):
        html, _seconds = rendered_markdown(text, links, place)
        if html != unformatted:
            return str(html).strip()
    return to_html(text)
