"""Checks of a single commit, in the order in which their messages are shown."""

from collections.abc import Callable, Iterator

import msgspec
from sqlalchemy import Connection, select

from ingot.features.code.push_rules.rows import PusherRow, PushRuleRow
from ingot.features.people.users import find_user_by_email, user_emails
from ingot.gitstore.new_commits import NewCommit
from ingot.identity.tables import users
from ingot.instance import application_setting
from ingot.kit.patterns import pattern
from ingot.kit.regexps import compile_regexp

NOT_YOURS = (
    "You cannot push commits for '{}'."
    " You can only push commits that were committed with one of your own verified emails."
)
UNVERIFIED = "Committer email '{}' is not verified."
OTHER_NAME = "Your git username is inconsistent with GitLab account name"
UNSIGNED = "Commit must be signed with a GPG key"
NO_SIGN_OFF = "Commit message must contain a DCO signoff"
_SIGN_OFF = pattern(r"Signed-off-by:.+<.+@.+>")


class Pusher(msgspec.Struct, frozen=True):
    """Whose commits are pushed: the account's name, and its addresses with whether they are confirmed."""

    name: str
    addresses: dict[str, bool]


def load_pusher(conn: Connection, user_id: int | None) -> Pusher:
    """The account that pushes, or changes something over the API."""
    columns = (users.c.name, users.c.email_lower, users.c.commit_email, users.c.confirmed_at)
    row: PusherRow | None = conn.execute(select(*columns).where(users.c.id == user_id)).one_or_none()
    if row is None:
        return Pusher("", {})
    further = select(user_emails.c.email_lower, user_emails.c.confirmed_at).where(user_emails.c.user_id == user_id)
    addresses = {address: confirmed_at is not None for address, confirmed_at in conn.execute(further)}
    addresses[row.email_lower] = row.confirmed_at is not None
    host = application_setting(conn, "commit_email_hostname")
    if row.commit_email is not None and row.commit_email.lower().endswith(f"@{host}"):
        addresses[row.commit_email.lower()] = True  # one that the server gave
    return Pusher(row.name, addresses)


class CommitChecks:
    """What one rule says about commits."""

    def __init__(self, conn: Connection, rule: PushRuleRow, user_id: int | None, *, by_git: bool) -> None:
        self._conn, self._rule, self._by_git = conn, rule, by_git
        self._pusher = load_pusher(conn, user_id)
        self._members: dict[str, bool] = {}
        self._matches = {name: _search(text) for name, text in _patterns(rule) if text}

    def refuse(self, commit: NewCommit) -> str | None:
        """Why the commit may not come in, or None."""
        checks = (self._message, self._addresses, self._committer, self._signature, self._sign_off, self._people)
        return next((why for check in checks for why in check(commit)), None)

    def _message(self, commit: NewCommit) -> Iterator[str]:
        rule = self._rule
        if not self._obeys("commit_message_regex", commit.message):
            yield f"Commit message does not follow the pattern '{rule.commit_message_regex}'"
        forbidden = self._matches.get("commit_message_negative_regex")
        if forbidden is not None and forbidden(commit.message):
            yield f"Commit message contains the forbidden pattern '{rule.commit_message_negative_regex}'"

    def _addresses(self, commit: NewCommit) -> Iterator[str]:
        for who, address in (("Committer", commit.committer_email), ("Author", commit.author_email)):
            if not self._obeys("author_email_regex", address):
                yield f"{who}'s email '{address}' does not follow the pattern '{self._rule.author_email_regex}'"

    def _committer(self, commit: NewCommit) -> Iterator[str]:
        if self._rule.commit_committer_check:
            confirmed = self._pusher.addresses.get(commit.committer_email.lower())
            if not confirmed:
                yield (NOT_YOURS if confirmed is None else UNVERIFIED).format(commit.committer_email)
        if self._rule.commit_committer_name_check and commit.committer_name != self._pusher.name:
            yield OTHER_NAME

    def _signature(self, commit: NewCommit) -> Iterator[str]:
        # Commits that the server writes have no signature, and nobody else can have written them.
        if self._rule.reject_unsigned_commits and self._by_git and not commit.is_signed:
            yield UNSIGNED

    def _sign_off(self, commit: NewCommit) -> Iterator[str]:
        if self._rule.reject_non_dco_commits and not _SIGN_OFF.search(commit.message):
            yield NO_SIGN_OFF

    def _people(self, commit: NewCommit) -> Iterator[str]:
        if not self._rule.member_check:
            return
        for who, address in (("Author", commit.author_email), ("Committer", commit.committer_email)):
            if not self._is_known(address):
                yield f"{who} '{address}' is not a member of team"

    def _is_known(self, address: str) -> bool:
        if address not in self._members:
            own = address.lower() in self._pusher.addresses
            self._members[address] = own or find_user_by_email(self._conn, address) is not None
        return self._members[address]

    def _obeys(self, name: str, text: str) -> bool:
        search = self._matches.get(name)
        return search is None or search(text)


def _patterns(rule: PushRuleRow) -> Iterator[tuple[str, str]]:
    """Those of commits; messages are searched line by line."""
    for name in ("commit_message_regex", "commit_message_negative_regex"):
        text = getattr(rule, name)
        yield name, f"(?m){text}" if text else ""
    yield "author_email_regex", rule.author_email_regex


def _search(text: str) -> Callable[[str], bool]:
    compiled = compile_regexp(text)
    return lambda searched: compiled.search(searched) is not None
