"""Checking a push before git sees it: each ref against roles and protection. One refusal refuses the whole push."""

from collections.abc import Iterator

import msgspec
from sqlalchemy import Connection

from ingot.events import RefChange
from ingot.features.code.git_http.access import Opened
from ingot.features.code.push_rules import PushRuleRow, find_rule, refuse_ref
from ingot.features.code.pushing import BAD_NAME, HEX_BRANCH, HIDDEN_REF, PushRights, load_rights, refusal
from ingot.features.spaces.projects import SizeLimit, find_size_limit
from ingot.gitstore.names import INTERNAL, is_sha, is_valid_branch, is_valid_ref
from ingot.gitstore.push import Push, RefCommand
from ingot.instance import application_setting
from ingot.kit.services import Services

MEGABYTE = 1024 * 1024


class Verdict(msgspec.Struct, frozen=True):
    """`messages` refuse the push; otherwise git enforces the rules while receiving it."""

    messages: list[str]
    keep_history: frozenset[str] = frozenset()
    max_bytes: int | None = None
    rule: PushRuleRow | None = None
    size: SizeLimit | None = None


def judge(services: Services, opened: Opened, push: Push) -> Verdict:
    """Check the push."""
    with services.db.read() as conn:
        size = find_size_limit(conn, opened.project.id)
        verdict = _judge(conn, opened, push, find_rule(services, conn, opened.project.id))
    if size is None or verdict.messages or all(command.is_deletion for command in push.commands):
        return verdict
    # Statistics are counted some seconds after a push; many pushes in that time must not pass.
    size = msgspec.structs.replace(size, repository_size=opened.repository.size())
    if size.is_exceeded:
        return Verdict([refusal(size.refuse_push())])
    return msgspec.structs.replace(verdict, size=size)


def _judge(conn: Connection, opened: Opened, push: Push, rule: PushRuleRow | None) -> Verdict:
    rights = load_rights(conn, opened.actor, opened.project)
    reasons = [why for command in push.commands if (why := _refuse(rights, command)) is not None]
    if rule is not None:
        reasons = reasons or list(_refuse_by_rule(rule, opened.project.default_branch, push))
    if reasons:
        return Verdict([refusal(text) for text in dict.fromkeys(reasons)])
    moving = (c for c in push.commands if c.branch is not None and not c.is_creation and not c.is_deletion)
    remaining = {
        command.ref
        for command in moving
        if rights.protection.is_protected(command.branch or "")
        and not rights.protection.may_force_push(command.branch or "")
    }
    largest = application_setting(conn, "receive_max_input_size")
    return Verdict([], frozenset(remaining), largest * MEGABYTE if largest else None, rule)


def _refuse_by_rule(rule: PushRuleRow, default_branch: str | None, push: Push) -> Iterator[str]:
    for command in push.commands:
        change = RefChange(command.ref, command.old, command.new)
        if (why := refuse_ref(rule, default_branch, change, by_git=True)) is not None:
            yield why


def _refuse(rights: PushRights, command: RefCommand) -> str | None:
    if command.branch is not None:
        return _refuse_branch(rights, command, command.branch)
    if command.tag is not None:
        return _refuse_tag(rights, command, command.tag)
    if command.ref.startswith(INTERNAL):
        return HIDDEN_REF
    return rights.refuse_branch("") if is_valid_ref(command.ref) else BAD_NAME


def _refuse_branch(rights: PushRights, command: RefCommand, branch: str) -> str | None:
    if command.is_deletion:
        return rights.refuse_branch_deletion(branch, by_git=True)
    if command.is_creation and is_sha(branch.lower()):
        return HEX_BRANCH
    if command.is_creation and not is_valid_branch(branch):
        return BAD_NAME
    return rights.refuse_branch(branch, creates=command.is_creation)


def _refuse_tag(rights: PushRights, command: RefCommand, tag: str) -> str | None:
    if command.is_deletion:
        return rights.refuse_tag_deletion(tag, by_git=True)
    return rights.refuse_tag(tag) if command.is_creation else rights.refuse_tag_change(tag)
