"""Signatures of commits and tags."""

from ingot.access.call import Call
from ingot.access.policy import READ_CODE
from ingot.features.code.repository import signatures
from ingot.features.code.repository.opening import get_commit, open_repository
from ingot.features.code.repository.routes.commits import MEMBER as COMMIT
from ingot.features.code.repository.routes.tags import MEMBER as TAG
from ingot.features.code.repository.routes.tags import get_tag_of_path
from ingot.features.code.repository.signature_entities import PgpSignature, SshSignature, X509Signature
from ingot.gitstore.signed_objects import signed_commit, signed_tag
from ingot.kit.endpoint import Answer, OneOf, Routes
from ingot.kit.errors import NotFound

routes = Routes("Commits", guard_first=True, waits=True)
ANY_KIND = OneOf(PgpSignature, SshSignature, X509Signature)


@routes.get(COMMIT + "/signature", guard=READ_CODE, returns=ANY_KIND)
def get_commit_signature(call: Call) -> Answer:
    """The signature of a commit, by a GPG or SSH key or an X.509 certificate, and whether it is the committer's."""
    repository = open_repository(call)
    commit = get_commit(repository, call.path["sha"])
    signed = signed_commit(repository, commit.id)
    if signed is None:
        raise NotFound("Signature")
    return signatures.judge(call, commit.id, signed, commit.committer.email)


@routes.get(TAG + "/signature", guard=READ_CODE, returns=ANY_KIND)
def get_tag_signature(call: Call) -> Answer:
    """The signature of an annotated tag, and whether it is the tagger's."""
    repository = open_repository(call)
    tag = get_tag_of_path(call, repository)
    signed = signed_tag(repository, tag.target) if tag.is_annotated else None
    if signed is None or tag.tagger is None:
        raise NotFound("Signature")
    return signatures.judge(call, tag.target, signed, tag.tagger.email)
