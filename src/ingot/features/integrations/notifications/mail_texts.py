"""Texts of people in mails: rendered as on pages, with addresses that are whole, since a mail is read elsewhere."""

from collections.abc import Mapping, Sequence
from html import escape
from urllib.parse import quote

import msgspec
from sqlalchemy import Connection, select

from ingot.access.rows import ProjectRow
from ingot.features.planning.issuables import kinds
from ingot.features.planning.notes import notes
from ingot.features.planning.todos import mentioned_people
from ingot.features.spaces.markdown import render_text
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import log
from ingot.gitstore.errors import GitError
from ingot.kit.mentions import SEARCHED
from ingot.kit.patterns import pattern
from ingot.kit.services import Services

MOST = 50
MOST_COMMITS = 20
LONGEST = 20_000  # characters of a text in a mail
_NUMBERS = pattern(r"[#!][1-9][0-9]{0,8}")
# The renderer writes attributes in double quotes.
_LOCAL = pattern(r'(href|src)="/([^/"]|")')


class Words(msgspec.Struct, frozen=True):
    """A text for both kinds of readers."""

    text: str = ""
    html: str = ""
    where: str = ""  # a file and a line that it is about


def text_words(conn: Connection, project: ProjectRow, text: str, site: str) -> Words:
    """What somebody wrote."""
    text = text[:LONGEST]
    return Words(text, text_html(conn, project, text, site))


def comments(conn: Connection, note_ids: Sequence[int], project: ProjectRow, url: str, site: str) -> Words | None:
    """One comment, or those of a review, each under the line that it is about; None when all are gone."""
    columns = notes.c
    query = select(columns.id, columns.body, columns.position).where(columns.id.in_(note_ids)).order_by(columns.id)
    rows = conn.execute(query).all()
    if len(note_ids) == 1:
        said = [(_where(row.position), text_words(conn, project, row.body, site)) for row in rows]
        return msgspec.structs.replace(said[0][1], where=said[0][0]) if said else None
    texts, html, left = [], [], LONGEST
    for row in rows:
        words = text_words(conn, project, row.body[:left], site)
        where = _where(row.position).removeprefix(" on ") or "Comment"
        texts.append(f"{where}:\n\n{words.text}")
        html.append(f'<p><strong><a href="{escape(url)}#note_{row.id}">{escape(where)}</a></strong></p>{words.html}')
        left = max(left - len(row.body), 0)
    return Words("\n\n".join(texts), "".join(html)) if rows else None


def _where(position: Mapping[str, object] | None) -> str:
    """The file and line that a comment is about; empty for the whole record."""
    path = position and (position.get("new_path") or position.get("old_path"))
    if not position or not path:
        return ""
    line = position.get("new_line") or position.get("old_line")
    return " ".join(f" on {path}{f', line {line}' if line else ''}".split("\n"))


def pushed_commits(services: Services, project: ProjectRow, old: str, new: str, site: str) -> Words:
    """The titles of what a push brought, newest first; nothing where the old head is gone."""
    try:
        found = log.moved_commits(repository_of(services, project), old, new, limit=MOST_COMMITS + 1)
    except GitError:
        return Words()
    shown = [(commit.id[:8], commit.title, f"{site}/{project.full_path}/-/commit/{commit.id}") for commit in found]
    more = ["and more"] if len(shown) > MOST_COMMITS else []
    texts = [*(f"- {short} {title}" for short, title, _ in shown[:MOST_COMMITS]), *more]
    items = [f'<a href="{escape(url)}">{short}</a> {escape(title)}' for short, title, url in shown[:MOST_COMMITS]]
    html = "".join(f"<li>{item}</li>" for item in [*items, *more])
    return Words("\n".join(texts), f"<ul>{html}</ul>") if texts else Words()


def text_html(conn: Connection, project: ProjectRow, text: str, site: str) -> str:
    """Safe HTML of a text about a project; `site` is where this instance is found."""
    if not text:
        return ""
    place = {"project": f"{site}/{project.full_path}"}
    if project.default_branch:
        for kind in ("blob", "raw"):
            place[kind] = f"{place['project']}/-/{kind}/{quote(project.default_branch, safe='/')}"
    html = render_text(text, _links(conn, project, text[:SEARCHED], site), place)
    return _LOCAL.sub(lambda match: f'{match[1]}="{site}/{match[2]}', html)


def _links(conn: Connection, project: ProjectRow, text: str, site: str) -> dict[str, str]:
    """References that every reader of the project may follow, with their addresses."""
    links = {f"@{name}": f"{site}/{name}" for name in list(mentioned_people(conn, text))[:MOST]}
    written = {match[0] for match in _NUMBERS.finditer(text)}
    for kind in kinds():
        iids = sorted(int(one[1:]) for one in written if one[0] == kind.sign)[:MOST]
        if not iids:
            continue
        table = kind.table
        query = select(table.c.iid).where(table.c.project_id == project.id, table.c.iid.in_(iids))
        if "confidential" in table.c:
            query = query.where(table.c.confidential.is_(False))
        for iid in conn.execute(query).scalars():
            links[f"{kind.sign}{iid}"] = f"{site}/{project.full_path}/-/{kind.word}s/{iid}"
    return links
