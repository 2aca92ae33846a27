"""Markdown on a page: its references are looked up with the visitor's rights before it is rendered."""

from urllib.parse import quote, urlsplit

from markupsafe import Markup

from ingot.access.call import Call
from ingot.access.subjects import Project
from ingot.features.integrations.project_integrations import tracked_issues
from ingot.features.spaces.projects import to_html
from ingot.kit.mentions import SEARCHED
from ingot.kit.patterns import ALPHANUMERIC, pattern
from ingot.web.call import PageCall
from ingot.web.foreign_pictures import picture_key
from ingot.web.texts import LONGEST_MARKDOWN, plain, rendered_markdown

MOST, FEW = 50, 5
ATTEMPTS_FOR_MAILS = 2
KINDS = {"#": "issues", "!": "merge_requests"}
_NUMBERS = pattern(r"[#!][1-9][0-9]{0,8}")
_SHAS = pattern(r"\b[0-9a-f]{7,40}\b")
_OTHERS = pattern(
    rf"[{ALPHANUMERIC}_][{ALPHANUMERIC}_.-]{{0,60}}(?:/[{ALPHANUMERIC}_.-]{{1,60}}){{1,6}}[#!][1-9][0-9]{{0,8}}"
)
_NAMES = pattern(rf"@[{ALPHANUMERIC}_][{ALPHANUMERIC}_.-]{{0,60}}")


def markdown(call: PageCall, text: str | None, *, ref: str = "", folder: str = "", base: str = "") -> Markup:
    """The text as safe HTML. Relative addresses begin in a folder of a revision, or at `base`."""
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
        place |= {"blob": base, "raw": base}
    html, seconds = rendered_markdown(text, _links(call, text), place)
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


def _links(call: PageCall, text: str) -> dict[str, str]:
    links: dict[str, str] = {}
    text = text[:SEARCHED]
    if call.project_or_none is not None:
        links |= _numbered(call, text)
        links |= _labels(call, text)
        links |= _milestones(call, text)
        links |= _commits(call, text)
        links |= tracked_issues(call.conn, call.project.id, text, MOST)
    links |= _elsewhere(call, text)
    names = sorted({match[0].rstrip(".") for match in _NAMES.finditer(text)})[:MOST]
    for name in names[:10]:
        for row in call.ask_or_none("/users", username=name[1:]) or []:
            links[name] = f"/{row['username']}"
    return links


def _numbered(call: PageCall, text: str) -> dict[str, str]:
    """Issues and merge requests of this project."""
    links: dict[str, str] = {}
    numbers = {match[0] for match in _NUMBERS.finditer(text)}
    for sign, collection in KINDS.items():
        iids = [str(iid) for iid in sorted(int(number[1:]) for number in numbers if number[0] == sign)[:MOST]]
        if iids:
            rows = call.ask_or_none(f"/projects/:id/{collection}", iids=iids, per_page="100") or []
            links |= {f"{sign}{row['iid']}": _path(call, collection, row["iid"]) for row in rows}
    return links


def _labels(call: PageCall, text: str) -> dict[str, str]:
    if "~" not in text:
        return {}
    links = {}
    for row in call.ask_or_none("/projects/:id/labels", per_page="100") or []:
        name = str(row["name"])
        for written in (f"~{name}", f'~"{name}"'):
            if written in text:
                links[written] = f"/{call.project.full_path}/-/issues?labels={quote(name, safe='')}"
    return links


def _milestones(call: PageCall, text: str) -> dict[str, str]:
    if "%" not in text:
        return {}
    links = {}
    rows = call.ask_or_none("/projects/:id/milestones", include_ancestors=True, per_page="100") or []
    for row in rows:
        for written in (f"%{row['title']}", f'%"{row["title"]}"'):
            if written in text and row["web_url"]:
                links[written] = urlsplit(row["web_url"]).path
    return links


def named_labels(call: PageCall, text: str) -> str:
    """The text of a system note with labels by their names: it has them by their numbers."""
    if "~" not in text or call.project_or_none is None:
        return text
    for row in call.ask_or_none("/projects/:id/labels", per_page="100") or []:
        if f"~{row['id']}" in text:
            name = str(row["name"])
            written = f"~{name}" if name.isalnum() else f'~"{name}"'
            text = " ".join(written if word == f"~{row['id']}" else word for word in text.split(" "))
    return text


def _commits(call: PageCall, text: str) -> dict[str, str]:
    """Commits by their ids; words and numbers of the same shape are left alone unless a commit has that id."""
    links = {}
    shas = sorted({match[0] for match in _SHAS.finditer(text) if any(sign.isdigit() for sign in match[0])})
    for sha in shas[:FEW]:
        commit = call.ask_or_none("/projects/:id/repository/commits/:sha", sha=sha, stats=False)
        if commit is not None and str(commit["id"]).startswith(sha):
            links[sha] = f"/{call.project.full_path}/-/commit/{commit['id']}"
    return links


def _elsewhere(call: PageCall, text: str) -> dict[str, str]:
    """Issues and merge requests of other projects: `group/project#1`."""
    links = {}
    for written in sorted({match[0] for match in _OTHERS.finditer(text)})[:FEW]:
        sign = "#" if "#" in written else "!"
        path, _, iid = written.partition(sign)
        project = call.ask_or_none("/projects/:id", id=path)
        if project is None:
            continue
        rows = call.ask_or_none(f"/projects/:id/{KINDS[sign]}", id=project["id"], iids=[iid])
        if rows:
            links[written] = f"/{project['path_with_namespace']}/-/{KINDS[sign]}/{iid}"
    return links


def _path(call: PageCall, collection: str, number: int) -> str:
    return f"/{call.project.full_path}/-/{collection}/{number}"


def render_for_api(call: Call, text: str, project: Project | None, *, references: bool) -> str:
    """As a page shows it, for the endpoint that renders texts."""
    if len(text) > LONGEST_MARKDOWN:
        return str(plain(text))
    page = PageCall(call.request, call.endpoint, {}, call.services)
    page.actor, page.request_id = call.actor, call.request_id
    place: dict[str, str] = {}
    if project is not None:
        page.project = project
        place |= {"project": f"/{project.full_path}", **_in_repository(project)}
    try:
        html, _ = rendered_markdown(text, _links(page, text) if references else {}, place)
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
