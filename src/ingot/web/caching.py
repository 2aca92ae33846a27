"""What browsers and proxies may keep of files: they ask again each time, and what they have is not sent again."""

from starlette.responses import Response

from ingot.features.spaces.projects import repository_of
from ingot.gitstore import revisions
from ingot.gitstore.objects import find_entry
from ingot.kit.downloads import etag_matches, tag_of_ids
from ingot.web.call import PageCall

# What strangers may read, proxies may keep. Who asks is part of the question, and for drawings also what they are for.
VARY = "Cookie, Authorization, PRIVATE-TOKEN, Accept-Encoding, Sec-Fetch-Dest"


def cache_headers(call: PageCall) -> dict[str, str]:
    """The headers of a file that follows from a revision."""
    kept_by = "public" if call.actor.is_anonymous else "private"
    return {"Cache-Control": f"{kept_by}, no-cache", "Vary": VARY}


def tag_of_file(call: PageCall, ref: str, path: str) -> str | None:
    """The entity tag of a committed file, as the visitor asks for it; its content is not read for that."""
    repository = repository_of(call.services, call.project)
    sha = revisions.find(repository, ref)
    entry = find_entry(repository, sha, path) if sha is not None else None
    # An object of Git LFS may come after its pointer, which is what is sent until then.
    if entry is None or entry.type != "blob" or call.values.get("lfs") == "true":
        return None
    asked = (str(call.values.get("inline", "")), call.request.headers.get("sec-fetch-dest", ""))
    return tag_of_ids(entry.id, entry.name, *asked)


def is_known(call: PageCall, tag: str | None) -> bool:
    """The visitor has it already."""
    return tag is not None and etag_matches(call.request.headers.get("if-none-match", ""), tag)


def with_tag(call: PageCall, tag: str | None, response: Response) -> Response:
    """The response with its headers for caches instead of those of the API."""
    response.headers.update(cache_headers(call))
    if tag is not None:
        response.headers["ETag"] = f"W/{tag}"
    if "expires" in response.headers:
        del response.headers["Expires"]
    return response
