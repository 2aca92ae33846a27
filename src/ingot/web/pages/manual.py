"""Help: the manual of this version, with its menu and a search."""

from starlette.responses import RedirectResponse, Response

from ingot.features.code.git_ssh import host_fingerprints
from ingot.kit.errors import NotFound
from ingot.web.call import PageCall, View
from ingot.web.frames import site_view
from ingot.web.manual import find_file, load_page, search_manual, sections
from ingot.web.registry import Pages

pages = Pages("site")
LONGEST_QUERY = 200
# Pages of GitLab's manual that messages name.
ELSEWHERE = {"topics/git/troubleshooting_git.md": "/help/git#credentials"}
PICTURE = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "public, max-age=3600",
}


@pages.get("help")
def show_help(call: PageCall) -> View:
    """The first steps, and the menu of the manual."""
    return _view(call)


@pages.get("help/search")
def search_help(call: PageCall) -> View:
    """Sections of the manual that hold all words."""
    query = str(call.values.get("query", ""))[:LONGEST_QUERY]
    return _view(call, query=query, hits=search_manual(query))


@pages.get("help/instance_configuration")
def show_configuration(call: PageCall) -> View:
    """What people need to know of this instance: the fingerprints of its host keys."""
    settings = call.services.settings
    return _view(call, host_keys=host_fingerprints(settings.data_folder) if settings.ssh else [])


@pages.get("help/{rest*}")
def show_page(call: PageCall) -> View | Response:
    """A page of the manual, or one of its pictures."""
    name = str(call.path["rest"])
    page = load_page(name)
    if page is not None:
        return _view(call, page=page)
    if name in ELSEWHERE:
        return RedirectResponse(ELSEWHERE[name], 302)
    file = find_file(name)
    if file is None:
        raise NotFound
    return Response(file[0], media_type=file[1], headers=PICTURE)


def _view(call: PageCall, **data: object) -> View:
    return site_view(call, "manual", layout="page.html", menu=sections(), **data)
