"""LFS requests with a token from SSH: checked like the key itself, only in the token's project."""

from msgspec.structs import replace

from ingot.access.addresses import limit_by_address
from ingot.features.code.git_http import GitRequest, Opened, basic, forbidden, not_found, unauthorized
from ingot.features.code.git_ssh.access import Caller, find_entry
from ingot.features.code.git_ssh.holders import KeyRefused
from ingot.features.code.git_ssh.lfs_tokens import UPLOAD, read_token
from ingot.kit.actor import ANONYMOUS
from ingot.kit.services import Services


def open_with_token(services: Services, git_request: GitRequest) -> Opened | None:
    """The repository that the request's token opens; None where it carries no such token."""
    given = basic(git_request.authorization)
    token = None if given is None else read_token(services.secret_key, given[1])
    if token is None:
        return None
    client = git_request.request.client
    caller = Caller(token.key, client.host if client is not None else "", git_request.base_url)
    try:
        entry = find_entry(services, caller, git_request.path, pushes=git_request.pushes)
    except KeyRefused:
        raise unauthorized() from None
    if entry.opened.project.id != token.project_id:
        raise not_found()
    if git_request.pushes != (token.operation == UPLOAD):
        raise forbidden("The token is for the other operation.")
    if entry.holder.deploy_key_id is None:
        return entry.opened
    # A deploy key opens only its own projects, not those of the user who added it.
    return replace(entry.opened, actor=limit_by_address(services, ANONYMOUS, git_request.request))
