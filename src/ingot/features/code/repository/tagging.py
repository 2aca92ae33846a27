"""Creating tags as the caller, announced like a push."""

from ingot.access.call import Call
from ingot.events import ZERO_SHA, RefChange
from ingot.features.code.repository.committing import announce_change, caller, noted, refusing
from ingot.gitstore import Repository, listing, names, refs
from ingot.gitstore.errors import RefExists, RevisionNotFound
from ingot.gitstore.listing import Tag
from ingot.kit.errors import Failure


def make_tag(call: Call, repository: Repository, name: str, ref: str, message: str | None) -> Tag:
    """A new tag at a revision; with a message an annotated one."""
    with noted(call, repository, {names.TAGS + name: None}) as note:
        target = refusing(lambda: _create(call, repository, name, ref, message))
    announce_change(call, note, RefChange(names.TAGS + name, ZERO_SHA, target))
    created = listing.find_tag(repository, name)
    if created is None:
        raise Failure(400, f"Tag {name} was deleted in the meantime")
    return created


def _create(call: Call, repository: Repository, name: str, ref: str, message: str | None) -> str:
    try:
        return refs.create_tag(repository, name, ref, message=message, tagger=caller(call))
    except RefExists:
        raise Failure(400, f"Tag {name} already exists") from None
    except RevisionNotFound:
        raise Failure(400, f"Target {ref} is invalid") from None
