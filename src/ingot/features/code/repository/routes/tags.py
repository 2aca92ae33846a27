"""Tags."""

from collections.abc import Sequence

from ingot.access.call import Call
from ingot.access.policy import READ_CODE
from ingot.events import ZERO_SHA, RefChange
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.code.repository.committing import announce_change, noted
from ingot.features.code.repository.entities import Tag, TagRelease, commit_basic
from ingot.features.code.repository.keyset import page_of_names
from ingot.features.code.repository.opening import open_repository
from ingot.features.code.repository.params.branches import CreateTag, ListTags
from ingot.features.code.repository.policy import CHANGE_CODE, require_push
from ingot.features.code.repository.tag_releases import forget_release, release_descriptions
from ingot.features.code.repository.tagging import make_tag
from ingot.gitstore import Repository, listing, names, objects, refs
from ingot.gitstore.errors import RefChanged, RefNotFound
from ingot.gitstore.listing import Tag as GitTag
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import wire_or_none
from ingot.kit.errors import Failure, Forbidden, NotFound

routes = Routes("Tags", guard_first=True, waits=True)

COLLECTION = "/projects/{id}/repository/tags"
MEMBER = COLLECTION + "/{tag_name}"


@routes.get(COLLECTION, guard=READ_CODE, params=ListTags, returns=list[Tag])
def list_tags(call: Call[ListTags]) -> Answer:
    """Tags, the latest first unless ordered otherwise."""
    options = call.params
    repository = open_repository(call)
    result = listing.list_tags(
        repository, search=options.search, order_by=options.order_by, descending=options.sort == "desc"
    )
    return page_of_names(call, result, lambda call, part: _present(call, repository, part))


@routes.get(MEMBER, guard=READ_CODE, returns=Tag)
def get_tag(call: Call) -> Answer:
    """One tag."""
    repository = open_repository(call)
    return _present(call, repository, [get_tag_of_path(call, repository)])[0]


@routes.post(COLLECTION, guard=CHANGE_CODE, params=CreateTag, returns=Tag)
def create_tag(call: Call[CreateTag]) -> Answer:
    """Create a tag; with a message an annotated one."""
    options = call.params
    rights = require_push(call)
    repository = open_repository(call)
    if not names.is_valid_tag(options.tag_name):
        raise Failure(400, "Tag name invalid")
    if (why := rights.refuse_tag(options.tag_name)) is not None:
        raise Failure(400, why)
    created = make_tag(call, repository, options.tag_name, options.ref, options.message)
    return _present(call, repository, [created])[0]


@routes.delete(MEMBER, guard=CHANGE_CODE)
def delete_tag(call: Call) -> Answer:
    """Delete a tag."""
    rights = require_push(call)
    repository = open_repository(call)
    tag = get_tag_of_path(call, repository)
    if tag.commit_id is not None:
        call.require_unmodified(objects.get_commit(repository, tag.commit_id).author.when)
    if (why := rights.refuse_tag_deletion(tag.name)) is not None:
        raise Forbidden(why)
    with noted(call, repository, {names.TAGS + tag.name: ZERO_SHA}) as note:
        try:
            refs.delete_tag(repository, tag.name, tag.target)
        except (RefChanged, RefNotFound):
            raise Failure(400, "Failed to remove tag") from None
    announce_change(call, note, RefChange(names.TAGS + tag.name, tag.target, ZERO_SHA))
    forget_release(call, tag.name)


def get_tag_of_path(call: Call, repository: Repository) -> GitTag:
    """The tag that the path names; 404 otherwise."""
    tag = listing.find_tag(repository, call.path["tag_name"])
    if tag is None:
        raise NotFound("Tag")
    return tag


def _present(call: Call, repository: Repository, rows: Sequence[GitTag]) -> list[Tag]:
    protection = load_protection(call.conn, call.actor, call.project)
    released = release_descriptions(call, [tag.name for tag in rows])
    return [
        Tag(
            name=tag.name,
            message=listing.tag_message(repository, tag) or "",
            target=tag.target,
            commit=None
            if tag.commit_id is None
            else commit_basic(objects.get_commit(repository, tag.commit_id), call.base_url, call.project),
            release=TagRelease(tag_name=tag.name, description=released[tag.name]) if tag.name in released else None,
            protected=protection.is_protected_tag(tag.name),
            created_at=wire_or_none(tag.tagger.when if tag.tagger is not None else None),
        )
        for tag in rows
    ]
