"""Releases: the list, one release with its downloads, and the forms that write one."""

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import quote

from starlette.responses import Response

from ingot.kit.errors import BadRequest
from ingot.web.answers import Milestone
from ingot.web.caching import cache_headers
from ingot.web.call import PageCall, View
from ingot.web.commenting import may_attach
from ingot.web.downloads import Download
from ingot.web.frames import project_view
from ingot.web.guards import InHistory
from ingot.web.markdown import markdown
from ingot.web.registry import Pages
from ingot.web.sending import done, refused, text, texts

pages = Pages("project")
RELEASES = "/projects/:id/releases"
RELEASE = f"{RELEASES}/:tag_name"
LINKS = f"{RELEASE}/assets/links"
LINK = f"{LINKS}/:link_id"
NEW_FIELDS = ("tag_name", "ref", "tag_message")
FIELDS = ("name", "description", "released_at")
CLEARED = ("description", "milestones")  # what an empty field takes away
MILESTONES = "/projects/:id/milestones"
CHOSEN, OTHERS = "milestone_ids", "other_milestones"  # those that are ticked; titles of others, one a line
MOST_TITLES = 50  # each is looked up
LINK_FIELDS = ("name", "url", "link_type", "direct_asset_path")
LINK_TYPES = ("other", "package", "image", "runbook")
FORMATS = ("zip", "tar.gz", "tar.bz2", "tar")


@pages.get("releases")
def list_releases(call: PageCall) -> View:
    """Releases, the newest first."""
    rows = call.ask_rows(RELEASES, per_page="10")
    for row in rows.items:
        row["html"] = markdown(call, row["description"])
    return project_view(call, "releases", "releases", rows=rows, can_write=call.may("POST", RELEASES))


@pages.get("releases/new")
def show_new_release(call: PageCall) -> View:
    """The form of a new release."""
    call.require("POST", RELEASES)
    return _form(call, {"tag_name": text(call, "tag_name"), "ref": call.project.default_branch or ""}, "")


@pages.post("releases")
def create_release(call: PageCall) -> View | Response:
    """Write a release; its tag is created if it is missing."""
    values = texts(call, (*NEW_FIELDS, *FIELDS))

    def create() -> None:
        said = {**values, **_said_milestones(call)}
        call.ask(RELEASES, "POST", **{name: value for name, value in said.items() if value})

    view = refused(create, lambda problem, status: _form(call, values, "", problem, status))
    return view or _to_release(call, values["tag_name"], "Release created.")


@pages.get("releases/{tag}")
def show_release(call: PageCall) -> View:
    """One release."""
    release = call.ask(RELEASE, tag_name=call.path["tag"])
    release["html"] = markdown(call, release["description"])
    return project_view(
        call, "release", "releases", release=release, can_write=call.may("PUT", RELEASE, tag_name=call.path["tag"])
    )


@pages.get("releases/{tag}/edit")
def show_edit_release(call: PageCall) -> View:
    """The form of a release."""
    call.require("PUT", RELEASE, tag_name=call.path["tag"])
    return _form(call, _values(call), call.path["tag"])


@pages.post("releases/{tag}/edit")
def edit_release(call: PageCall) -> View | Response:
    """Save a release."""
    tag, values = call.path["tag"], texts(call, FIELDS)

    def save() -> None:
        said = {**values, **_said_milestones(call, tag)}
        given = {name: value for name, value in said.items() if value or name in CLEARED}
        call.ask(RELEASE, "PUT", tag_name=tag, **given)

    view = refused(save, lambda problem, status: _form(call, values, tag, problem, status))
    return view or _to_release(call, tag, "Release saved.")


@pages.post("releases/{tag}/links")
def add_link(call: PageCall) -> View | Response:
    """Add a download to a release."""
    tag, values = call.path["tag"], texts(call, LINK_FIELDS)
    given = {name: value for name, value in values.items() if value}
    view = refused(
        lambda: call.ask(LINKS, "POST", tag_name=tag, **given),
        lambda problem, status: _form(call, _values(call), tag, problem, status, link=values),
    )
    return view or _to_links(call, "Link added.")


@pages.get("releases/{tag}/links/{number:int}/edit")
def show_edit_link(call: PageCall) -> View:
    """The form of a download."""
    numbers = {"tag_name": call.path["tag"], "link_id": call.path["number"]}
    call.require("PUT", LINK, **numbers)
    link = call.ask(LINK, **numbers)
    return _link_form(call, {**link, "direct_asset_path": _permanent_path(link, call.path["tag"])})


@pages.post("releases/{tag}/links/{number:int}/edit")
def edit_link(call: PageCall) -> View | Response:
    """Save a download of a release."""
    values = texts(call, LINK_FIELDS)
    view = refused(
        lambda: call.ask(LINK, "PUT", tag_name=call.path["tag"], link_id=call.path["number"], **values),
        lambda problem, status: _link_form(call, values, problem, status),
    )
    return view or _to_links(call, "Link saved.")


@pages.post("releases/{tag}/links/{number:int}/remove")
def remove_link(call: PageCall) -> Response:
    """Take a download off a release."""
    call.ask(LINK, "DELETE", tag_name=call.path["tag"], link_id=call.path["number"])
    return _to_links(call, "Link removed.")


@pages.post("releases/{tag}/evidence")
def collect_evidence(call: PageCall) -> Response:
    """Note what the release consists of now."""
    call.ask(f"{RELEASE}/evidence", "POST", tag_name=call.path["tag"])
    return _to_release(call, call.path["tag"], "The evidence is being collected.")


@pages.post("releases/{tag}/remove")
def remove_release(call: PageCall) -> Response:
    """Delete a release; its tag stays."""
    call.ask(RELEASE, "DELETE", tag_name=call.path["tag"])
    return done(call, f"/{call.project.full_path}/-/releases", "Release deleted.")


@pages.get("archive/{rest*}", guard=InHistory())
def download_archive(call: PageCall) -> Download:
    """The files of a revision; the last part of the address names the file, and with it the format."""
    ref, _, name = call.path["rest"].rpartition("/")
    kind = next((kind for kind in FORMATS if name.endswith(f".{kind}")), "")
    address = f"/projects/:id/repository/archive.{kind}" if kind else "/projects/:id/repository/archive"
    asked = call.download(address, sha=ref or name, path=text(call, "path") or None)
    return replace(asked, headers=cache_headers(call))


def _values(call: PageCall) -> dict[str, str]:
    """What the form of an existing release holds."""
    release = call.ask(RELEASE, tag_name=call.path["tag"])
    return {
        "name": release["name"], "description": release["description"] or "",
        "released_at": (release["released_at"] or "")[:16],
    }  # fmt: skip


def _said_milestones(call: PageCall, tag: str = "") -> dict[str, object]:
    """The milestones of the form as the API takes them: by number, or by title where one of them is unknown to it.

    Nothing where they are as before: a release may have some that the visitor does not see.
    """
    numbers = _ticked(call)
    titles = list(dict.fromkeys(line.strip() for line in text(call, OTHERS).splitlines() if line.strip()))
    if len(titles) > MOST_TITLES:
        raise BadRequest(f"Too many other milestones. Enter at most {MOST_TITLES} titles.")
    if tag and not titles and set(numbers) == {str(row["id"]) for row in _milestones_of(call, tag)}:
        return {}
    for title in titles:
        rows = call.ask(MILESTONES, title=title, include_ancestors=call.services.settings.has_tier("premium"))
        if not rows:
            return {"milestones": titles}  # the API says which one it does not know
        numbers.append(str(rows[0]["id"]))
    return {"milestone_ids": numbers} if numbers else {"milestones": ""}


def _milestones_of(call: PageCall, tag: str) -> list[Milestone]:
    """Those of a release that the visitor sees."""
    return call.ask(RELEASE, tag_name=tag).get("milestones") or []


def _ticked(call: PageCall) -> list[str]:
    chosen = call.values.get(CHOSEN, [])
    return [str(number) for number in chosen] if isinstance(chosen, list) else []


def _offered_milestones(call: PageCall, tag: str) -> tuple[list[Milestone], list[str]]:
    """Milestones to tick: those of the release, and active ones; and which of them are ticked."""
    of_groups = call.services.settings.has_tier("premium")  # releases take them there
    active = call.ask_or_none(MILESTONES, state="active", include_ancestors=of_groups, per_page="100") or []
    own = _milestones_of(call, tag) if tag else []
    known = {row["id"] for row in own}
    ticked = _ticked(call) if OTHERS in call.values else [str(number) for number in known]
    return [*own, *(row for row in active if row["id"] not in known)], ticked


def _form(
    call: PageCall, values: dict[str, str], tag: str, problem: str = "", status: int = 200,
    link: dict[str, str] | None = None,
) -> View:  # fmt: skip
    tags = [] if tag else call.ask_or_none("/projects/:id/repository/tags", per_page="100") or []
    milestones, ticked = _offered_milestones(call, tag)
    return project_view(
        call, "release_form", "releases", status, values=values, tag=tag, names=[row["name"] for row in tags],
        problem=problem, can_attach=may_attach(call), milestones=milestones, ticked=ticked, others=text(call, OTHERS),
        links=call.ask(LINKS, tag_name=tag) if tag else [], link=link, link_types=LINK_TYPES,
    )  # fmt: skip


def _link_form(call: PageCall, link: Mapping[str, str], problem: str = "", status: int = 200) -> View:
    tag = call.path["tag"]
    return project_view(
        call, "release_link_form", "releases", status, link=link, tag=tag, number=call.path["number"],
        link_types=LINK_TYPES, problem=problem,
    )  # fmt: skip


def _permanent_path(link: Mapping[str, str], tag: str) -> str:
    """The path below the permanent addresses of its release; empty for a link that has none."""
    return link["direct_asset_url"].partition(f"/-/releases/{quote(tag, safe='')}/downloads")[2]


def _to_links(call: PageCall, words: str) -> Response:
    tag = quote(call.path["tag"], safe="")
    return done(call, f"/{call.project.full_path}/-/releases/{tag}/edit#links", words)


def _to_release(call: PageCall, tag: str, words: str) -> Response:
    return done(call, f"/{call.project.full_path}/-/releases/{quote(tag, safe='')}", words)
