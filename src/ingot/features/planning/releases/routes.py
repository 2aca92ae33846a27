"""Endpoints of releases."""

from urllib.parse import parse_qsl, quote, urlencode

from ingot.access.call import Call
from ingot.access.policy import READ_GROUP
from ingot.features.code.repository import make_tag
from ingot.features.planning.releases import commands, evidence, queries
from ingot.features.planning.releases.entities import Release, SimpleRelease
from ingot.features.planning.releases.link_routes import link_routes
from ingot.features.planning.releases.params import (
    CreateRelease,
    GetRelease,
    ListGroupReleases,
    ListReleases,
    ReleasePath,
    UpdateRelease,
)
from ingot.features.planning.releases.policy import READ_RELEASE, READ_RELEASES, WRITE_RELEASES, may_create_tag
from ingot.features.planning.releases.presenting import present, present_of_group, present_simple
from ingot.features.planning.releases.rows import ReleaseRow
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import listing, names
from ingot.kit.endpoint import Answer, OneOf, Reply, Routes
from ingot.kit.entity import ACCEPTED, MessageOnly
from ingot.kit.errors import Conflict, Failure, Forbidden, NotFound, ParamError, Unprocessable

routes = Routes("Releases", waits=True)
ROUTES = [routes, link_routes]
ALL = "/projects/{id}/releases"
ONE = ALL + "/{tag_name}"
PROTECTED = "You are not allowed to create this tag as it is protected."
EXCLUSIVE = "milestones, milestone_ids Cannot specify milestones and milestone_ids at the same time"
CHANGEABLE = {"name", "description", "released_at", "milestones", "milestone_ids"}


def _find(call: Call[GetRelease | ReleasePath | UpdateRelease]) -> ReleaseRow:
    row = queries.find(call.conn, call.project.id, call.params.tag_name)
    if row is None:
        raise NotFound
    return row


def _find_own(call: Call[ReleasePath]) -> ReleaseRow:
    """The release, if the caller may change it; the right is checked for a missing one too."""
    row = queries.find(call.conn, call.project.id, call.params.tag_name)
    if row is None or not may_create_tag(call, row.tag):
        raise Forbidden
    return row


def _milestone_ids(call: Call[CreateRelease | UpdateRelease]) -> list[int]:
    if {"milestones", "milestone_ids"} <= call.params.sent:
        raise ParamError(EXCLUSIVE)
    of_groups = call.services.settings.has_tier("premium")
    return commands.milestone_ids(call.conn, call.project.row, call.params, of_groups=of_groups)


@routes.get(ALL, guard=READ_RELEASES, params=ListReleases, returns=list[Release], job_token=True)
def list_releases(call: Call[ListReleases]) -> Answer:
    """Releases of a project, the newest first unless ordered otherwise."""
    query, keyset = queries.listed(call.project.id, call.params)
    return call.page(query, present, keyset=keyset)


@routes.get(
    "/groups/{id}/releases",
    guard=READ_GROUP,
    params=ListGroupReleases,
    returns=OneOf(list[Release], list[SimpleRelease]),
)
def list_group_releases(call: Call[ListGroupReleases]) -> Answer:
    """Releases of all projects of a group and its subgroups."""
    query, keyset = queries.in_group(call.actor, call.group.id, call.params.sort)
    return call.page(query, present_simple if call.params.simple else present_of_group, keyset=keyset)


@routes.get(ALL + "/permalink/latest", guard=READ_RELEASE, status=302, job_token=True)
def get_latest_release(call: Call) -> Answer:
    """Redirect to the newest release."""
    return _latest(call, "")


@routes.get(ALL + "/permalink/latest/{suffix*}", guard=READ_RELEASE, status=302, job_token=True)
def get_part_of_latest_release(call: Call) -> Answer:
    """Redirect to a part of the newest release."""
    return _latest(call, f"/{quote(call.path['suffix'])}")


def _latest(call: Call, suffix: str) -> Reply:
    row = queries.latest(call.conn, call.project.id)
    if row is None:
        raise NotFound
    pairs = parse_qsl(call.request.url.query, keep_blank_values=True)
    query = urlencode([(name, value) for name, value in pairs if name not in ("order_by", "private_token")])
    target = f"{call.base_url}/api/v4/projects/{call.project.id}/releases/{quote(row.tag, safe='')}{suffix}"
    return Reply(None, status=302, headers={"Location": f"{target}?{query}" if query else target})


@routes.get(ONE, guard=READ_RELEASE, params=GetRelease, returns=Release, job_token=True)
def get_release(call: Call[GetRelease]) -> Answer:
    """The release of a tag."""
    return present(call, [_find(call)])[0]


@routes.get(ONE + "/downloads/{asset_path*}", guard=READ_RELEASE, params=ReleasePath, status=302, job_token=True)
def download_release_asset(call: Call[ReleasePath]) -> Answer:
    """Redirect to the target of a link with a permanent path."""
    link = queries.find_link_by_path(call.conn, _find(call).id, f"/{call.path['asset_path']}")
    if link is None:
        raise NotFound
    return Reply(None, status=302, headers={"Location": quote(link.url, safe=":/?#[]@!$&'()*+,;=%~")})


@routes.post(ALL, guard=WRITE_RELEASES, params=CreateRelease, returns=Release, job_token=True, errors=(409, 422))
def create_release(call: Call[CreateRelease]) -> Answer:
    """Create a release of a tag, which is created at `ref` if it is missing."""
    options = call.params
    if not names.is_valid_tag(options.tag_name):
        raise Failure(400, "Tag name invalid")
    commands.check_texts(options.name)
    if not may_create_tag(call, options.tag_name):
        raise Failure(403, PROTECTED)
    if queries.find(call.conn, call.project.id, options.tag_name) is not None:
        raise Conflict("Release already exists")
    milestone_ids = _milestone_ids(call)
    sha = _tagged_commit(call)
    with call.write() as tx:
        row = commands.create(tx, call.project.row, call.actor.id, options, sha, milestone_ids)
    return present(call, [row])[0]


def _tagged_commit(call: Call[CreateRelease]) -> str | None:
    """The commit of the release's tag, which is created if it is missing."""
    options = call.params
    repository = repository_of(call.services, call.project)
    tag = listing.find_tag(repository, options.tag_name) if repository.exists() else None
    if tag is None:
        if not options.ref:
            raise Unprocessable("Ref is not specified")
        if not repository.exists():
            raise Failure(400, f"Target {options.ref} is invalid")
        tag = make_tag(call, repository, options.tag_name, options.ref, options.tag_message)
    return tag.commit_id


@routes.put(ONE, guard=WRITE_RELEASES, params=UpdateRelease, returns=Release, job_token=True)
def update_release(call: Call[UpdateRelease]) -> Answer:
    """Change a release."""
    row = _find_own(call)
    if not call.params.sent & CHANGEABLE:
        raise Failure(400, "params is empty")
    commands.check_texts(call.params.name)
    if listing.find_tag(repository_of(call.services, call.project), row.tag) is None:
        raise Failure(404, "Tag does not exist")
    milestone_ids = _milestone_ids(call)
    with call.write() as tx:
        commands.update_release(tx, row, call.params, milestone_ids)
    return present(call, [_find(call)])[0]


@routes.delete(ONE, guard=WRITE_RELEASES, params=ReleasePath, returns=Release, status=200, job_token=True)
def delete_release(call: Call[ReleasePath]) -> Answer:
    """Delete a release; returns it. Its tag stays."""
    row = _find_own(call)
    call.require_unmodified(row.updated_at)
    shown = present(call, [row])[0]
    with call.write() as tx:
        commands.delete_release(tx, row)
    return shown


@routes.post(
    ONE + "/evidence", guard=WRITE_RELEASES, params=ReleasePath, returns=MessageOnly, status=202, tier="premium"
)
def collect_release_evidence(call: Call[ReleasePath]) -> Answer:
    """Collect evidence of a release."""
    row = _find(call)
    with call.write() as tx:
        evidence.collect(tx, row.id)
    return ACCEPTED
