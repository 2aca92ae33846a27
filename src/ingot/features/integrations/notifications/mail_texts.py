"""Texts of people in mails: rendered as on pages, with addresses that are whole, since a mail is read elsewhere."""

from urllib.parse import quote

from sqlalchemy import Connection, select

from ingot.access.rows import ProjectRow
from ingot.features.planning.issuables import kinds
from ingot.features.planning.todos import mentioned_people
from ingot.features.spaces.markdown import render_text
from ingot.kit.mentions import SEARCHED
from ingot.kit.patterns import pattern

MOST = 50
_NUMBERS = pattern(r"[#!][1-9][0-9]{0,8}")
# The renderer writes attributes in double quotes.
_LOCAL = pattern(r'(href|src)="/([^/"]|")')


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
