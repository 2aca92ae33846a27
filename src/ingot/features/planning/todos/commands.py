"""Creating and completing to-do items."""

from collections.abc import Iterable

from sqlalchemy import Connection, bindparam, insert, select, update

from ingot.features.planning.issuable_changes import Snapshot
from ingot.features.planning.issuables import Target
from ingot.features.planning.todos.audience import allowed
from ingot.features.planning.todos.tables import todos
from ingot.identity.tables import users
from ingot.kit.clock import now
from ingot.kit.mentions import SEARCHED, names_after_at
from ingot.kit.patterns import pattern

_CODE = pattern(r"```.*?```|~~~.*?~~~|`[^`\n]*`", dot_all=True)
_OPENING = pattern(r"(?:\s*@[\w.-]+(?:\s*,|\s+and\s|\s|$))+")
MOST_MENTIONED = 100
LONGEST_NAME = 256


def notify(
    tx: Connection,
    target: Target,
    author_id: int | None,
    action: str,
    user_ids: Iterable[int],
    *,
    body: str = "",
    note_id: int | None = None,
) -> None:
    """Create an item for each user, except the author, users who may not see it, and users with a pending one."""
    people = allowed(tx, target, (user_id for user_id in user_ids if user_id != author_id))
    if not people:
        return
    pending = select(todos.c.user_id).where(
        todos.c.target_type == target.type,
        todos.c.target_id == target.id,
        todos.c.action == action,
        todos.c.state == "pending",
        todos.c.user_id.in_(people),
    )
    waiting = set(tx.execute(pending).scalars())
    for user_id in people:
        if user_id not in waiting:
            add(tx, target, user_id, author_id, action, body=body, note_id=note_id)


def add(
    tx: Connection,
    target: Target,
    user_id: int,
    author_id: int | None,
    action: str,
    *,
    body: str,
    note_id: int | None = None,
) -> int:
    """One item."""
    moment = now()
    created = insert(todos).values(
        user_id=user_id,
        author_id=author_id,
        project_id=target.project_id,
        target_type=target.type,
        target_id=target.id,
        note_id=note_id,
        action=action,
        body=body,
        state="pending",
        created_at=moment,
        updated_at=moment,
    )
    return int(tx.execute(created.returning(todos.c.id)).scalar_one())


def names_in(text: str | None) -> tuple[list[str], list[str]]:
    """User names in a text: all of them, and those at its beginning. Code does not count."""
    plain = _CODE.sub(" ", (text or "")[:SEARCHED])
    start = _OPENING.match(plain)
    return _names(plain), _names(start[0]) if start else []


def _names(text: str) -> list[str]:
    """Lower-cased, each once, in order; the first hundred."""
    names: dict[str, None] = {}
    for name in names_after_at(text, _is_barred, LONGEST_NAME):
        names[name.lower()] = None
        if len(names) == MOST_MENTIONED:
            break
    return list(names)


def _is_barred(before: str) -> bool:
    return before.isalnum() or before in "_/@.`"


def mentioned_people(tx: Connection, *texts: str | None) -> dict[str, int]:
    """Ids of the users that texts name, by lower-cased name."""
    names = list(dict.fromkeys(name for text in texts for name in names_in(text)[0]))
    if not names:
        return {}
    rows = tx.execute(select(users.c.id, users.c.username_lower).where(users.c.username_lower.in_(names)))
    return {row.username_lower: row.id for row in rows}


def mention(
    tx: Connection,
    target: Target,
    author_id: int | None,
    text: str | None,
    note_id: int | None = None,
    *,
    before: str | None = None,
) -> None:
    """Create items for the users that a text mentions, and did not mention before."""
    known = mentioned_people(tx, before)
    people = {name: user_id for name, user_id in mentioned_people(tx, text).items() if name not in known}
    if not people:
        return
    _, addressed = names_in(text)
    direct = [people[name] for name in addressed if name in people]
    others = [user_id for user_id in people.values() if user_id not in direct]
    notify(tx, target, author_id, "directly_addressed", direct, body=text or "", note_id=note_id)
    notify(tx, target, author_id, "mentioned", others, body=text or "", note_id=note_id)


def follow(tx: Connection, target: Target, author_id: int | None, before: Snapshot | None, after: Snapshot) -> None:
    """Create items after a change of an issuable: for new assignees, reviewers and mentioned users."""
    title = after.row.title
    old_assignees = before.assignees if before is not None else {}
    old_reviewers = before.reviewers if before is not None else {}
    old_text = before.row.description if before is not None else None
    new_assignees = [user_id for user_id in after.assignees if user_id not in old_assignees]
    new_reviewers = [user_id for user_id in after.reviewers if user_id not in old_reviewers]
    notify(tx, target, author_id, "assigned", new_assignees, body=title)
    notify(tx, target, author_id, "review_requested", new_reviewers, body=title)
    if (after.row.description or "") != (old_text or ""):
        known = mentioned_people(tx, old_text).values()
        fresh = [user for user in mentioned_people(tx, after.row.description).values() if user not in known]
        notify(tx, target, author_id, "mentioned", fresh, body=title)


def reopen(tx: Connection, user_id: int, number: int) -> bool:
    """Take back that an item of the user is done; whether there is one."""
    own = (todos.c.id == number) & (todos.c.user_id == user_id)
    return tx.execute(update(todos).where(own).values(state="pending", updated_at=now())).rowcount > 0


_SETTLE = (
    update(todos)
    .where(
        todos.c.target_type == bindparam("about_type"),
        todos.c.target_id == bindparam("about_id"),
        todos.c.user_id == bindparam("whose"),
        todos.c.state == "pending",
    )
    .values(state="done")
)


def settle(tx: Connection, target: Target, user_id: int | None) -> None:
    """Mark the user's items about the issuable as done."""
    about = {"about_type": target.type, "about_id": target.id, "whose": user_id or 0}
    tx.execute(_SETTLE, {**about, "updated_at": now()})
