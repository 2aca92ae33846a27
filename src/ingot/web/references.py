"""The references of a text, such as `#1`, `!2+`, `%1.0` or `group/project#3`: looked up with the visitor's rights."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlsplit

from ingot.features.integrations.project_integrations import tracked_issues
from ingot.kit.mentions import SEARCHED
from ingot.kit.patterns import ALPHANUMERIC, pattern
from ingot.web.answers import Issuable
from ingot.web.call import PageCall

MOST, FEW = 50, 5
MOST_PEOPLE = 10
MOST_QUESTIONS = 200  # of all texts of a page together; what comes later stays as it was written
NAMED_ASSIGNEES = 3
KINDS = {"#": "issues", "!": "merge_requests"}
_NUMBERS = pattern(r"[#!][1-9][0-9]{0,8}")
_SNIPPETS = pattern(r"\$[1-9][0-9]{0,8}")
_SHAS = pattern(r"\b[0-9a-f]{7,40}\b")
_RANGES = pattern(r"\b([0-9a-f]{7,40})\.{2,3}([0-9a-f]{7,40})\b")
_PART = rf"[{ALPHANUMERIC}_][{ALPHANUMERIC}_.-]{{0,60}}"
_OTHERS = pattern(
    rf"({_PART}(?:/[{ALPHANUMERIC}_.-]{{1,60}}){{0,6}})([#!$@%~>])(\"[^\"\n]{{1,100}}\"|[\w.:-]{{1,100}})?"
)
_COMMIT = pattern(r"[0-9a-f]{7,40}")
_NUMBER = pattern(r"[1-9][0-9]{0,8}")
_NAMES = pattern(rf"@{_PART}(?:/{_PART}){{0,6}}")


@dataclass(slots=True)
class References:
    """The addresses of what a text refers to, and the words of those that ask for more than themselves (`#1+`)."""

    links: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)


def references_of(call: PageCall, text: str) -> References:
    """What exists of that, as far as the visitor may see it."""
    result = References()
    text = text[:SEARCHED]
    if call.project_or_none is not None:
        _numbered(call, text, result)
        result.links |= _labels(call, text)
        result.links |= _milestones(call, text)
        result.links |= _snippets(call, text)
        result.links |= _commits(call, text)
        result.links |= tracked_issues(call.conn, call.project.id, text, MOST)
    _elsewhere(call, text, result)
    result.links |= _names(call, text)
    return result


def look_up(call: PageCall, address: str, /, **values: object) -> Any:
    """The answer of an endpoint, asked once for all texts of a page. None also where a page has asked enough."""
    place = call.project.id if call.project_or_none is not None else 0
    question = (address, repr([place, *sorted(values.items())]))
    if question not in call.looked_up:
        if len(call.looked_up) >= MOST_QUESTIONS:
            return None
        call.looked_up[question] = call.ask_or_none(address, **values)
    return call.looked_up[question]


# Any: values of columns, by name.
def look_up_columns(call: PageCall, address: str, columns: tuple[str, ...], /, **values: object) -> list[Any]:
    """As `look_up`, for a list of which some columns are enough."""
    place = call.project.id if call.project_or_none is not None else 0
    question = (address, repr([place, columns, *sorted(values.items())]))
    if question not in call.looked_up:
        if len(call.looked_up) >= MOST_QUESTIONS:
            return []
        call.looked_up[question] = call.ask_columns(address, columns, **values)
    rows: list[Any] = call.looked_up[question]
    return rows


def usable_labels(call: PageCall) -> list[Any]:
    """The names of the project's labels by their ids, for all texts of a page."""
    return look_up_columns(call, "/projects/:id/labels", ("id", "name"), per_page="100")


def _names(call: PageCall, text: str) -> dict[str, str]:
    """People, and groups of which nobody has the name."""
    links: dict[str, str] = {}
    names = sorted({match[0].rstrip(".-") for match in _NAMES.finditer(text)})
    for name in [name for name in names if "/" not in name][:MOST_PEOPLE]:
        for row in look_up(call, "/users", username=name[1:]) or []:
            links[name] = f"/{row['username']}"
    for name in [name for name in names if name not in links][:FEW]:
        group = look_up(call, "/groups/:id", id=name[1:], with_projects=False)
        if group is not None and str(group["full_path"]).lower() == name[1:].lower():  # and not by its number
            links[name] = f"/groups/{group['full_path']}"
    return links


def _numbered(call: PageCall, text: str, result: References) -> None:
    """Issues and merge requests of this project."""
    numbers = {match[0] for match in _NUMBERS.finditer(text)}
    for sign, collection in KINDS.items():
        iids = [str(iid) for iid in sorted(int(number[1:]) for number in numbers if number[0] == sign)[:MOST]]
        if iids:
            address = f"/projects/:id/{collection}"
            if not any(f"{sign}{iid}+" in text for iid in iids):
                for row in look_up_columns(call, address, ("iid",), iids=iids, per_page="100"):
                    result.links[f"{sign}{row['iid']}"] = f"{_root(call)}/{collection}/{row['iid']}"
                continue
            for row in look_up(call, address, iids=iids, per_page="100") or []:
                _add(result, text, f"{sign}{row['iid']}", f"{_root(call)}/{collection}/{row['iid']}", row)


class Listed(Issuable):
    """An issue or merge request of a list."""

    state: str


def _add(result: References, text: str, written: str, address: str, row: Listed) -> None:
    """A reference, also as one that asks for the title (`+`) or for all that is known (`+s`)."""
    result.links[written] = address
    if f"{written}+" not in text:
        return
    state = "" if row["state"] == "opened" else f" - {row['state']}"
    title = f"{row['title']} ({written}{state})"
    people = [person["name"] for person in row["assignees"]]
    more = "+" if len(people) > NAMED_ASSIGNEES else ""
    known = [", ".join(people[:NAMED_ASSIGNEES]) + more or "Unassigned"]
    known += [row["milestone"]["title"]] if row["milestone"] else []
    for suffix, words in (("+", title), ("+s", " • ".join([title, *known]))):
        result.links[f"{written}{suffix}"], result.words[f"{written}{suffix}"] = address, words


def _labels(call: PageCall, text: str) -> dict[str, str]:
    if "~" not in text:
        return {}
    links = {}
    for row in usable_labels(call):
        for written in _forms("~", row["name"]):
            if written in text:
                links[written] = f"{_root(call)}/issues?labels={quote(str(row['name']), safe='')}"
    return links


def _milestones(call: PageCall, text: str) -> dict[str, str]:
    if "%" not in text:
        return {}
    links = {}
    rows = look_up(call, "/projects/:id/milestones", include_ancestors=True, per_page="100") or []
    for row in rows:
        for written in _forms("%", row["title"]):
            if written in text and row["web_url"]:
                links[written] = urlsplit(row["web_url"]).path
    return links


def _forms(sign: str, name: object) -> tuple[str, str]:
    """How something with a name is written."""
    return f"{sign}{name}", f'{sign}"{name}"'


def _snippets(call: PageCall, text: str) -> dict[str, str]:
    links = {}
    for written in sorted({match[0] for match in _SNIPPETS.finditer(text)})[:FEW]:
        if look_up(call, "/projects/:id/snippets/:snippet_id", snippet_id=written[1:]) is not None:
            links[written] = f"{_root(call)}/snippets/{written[1:]}"
    return links


def _commits(call: PageCall, text: str) -> dict[str, str]:
    """Commits by their ids; words and numbers of the same shape are left alone unless a commit has that id."""
    links, known = {}, {}
    shas = sorted({match[0] for match in _SHAS.finditer(text) if any(sign.isdigit() for sign in match[0])})
    for sha in shas[:FEW]:
        commit = look_up(call, "/projects/:id/repository/commits/:sha", sha=sha, stats=False)
        if commit is not None and str(commit["id"]).startswith(sha):
            known[sha] = commit["id"]
            links[sha] = f"{_root(call)}/commit/{commit['id']}"
    if known:
        for match in _RANGES.finditer(text):
            if match[1] in known and match[2] in known:
                links[match[0]] = f"{_root(call)}/compare/{match[0]}"
    return links


def _elsewhere(call: PageCall, text: str, result: References) -> None:
    """Things of other projects: `group/project#1`, or `project#1` in the same group."""
    written = {(typed, sign, (value or "").rstrip(".:-")) for typed, sign, value in _matches(text)}
    possible = [one for one in written if _may_name(*one, has_group=call.project_or_none is not None)]
    for typed, sign, value in sorted(possible, key=lambda one: ("/" not in one[0], one))[:FEW]:
        near = "" if "/" in typed else f"{call.project.full_path.rpartition('/')[0]}/"
        project = look_up(call, "/projects/:id", id=f"{near}{typed}")
        if project is not None:
            there = _There(call, project["id"], f"/{project['path_with_namespace']}")
            there.look(result, text, f"{typed}{sign}{'' if sign == '>' else value}", sign, value)


def _matches(text: str) -> Iterator[tuple[str, str, str | None]]:
    for match in _OTHERS.finditer(text):
        yield match[1], match[2], match[3]


def _may_name(path: str, sign: str, value: str, *, has_group: bool) -> bool:
    """Words with a sign behind them are many, and few of them are projects."""
    if "/" not in path and (not has_group or sign == ">"):
        return False
    if sign == "@":
        return _COMMIT.fullmatch(value) is not None
    return bool(value) if sign in "%~" else sign == ">" or _NUMBER.fullmatch(value) is not None


@dataclass(frozen=True, slots=True)
class _There:
    """Another project of which a text speaks."""

    call: PageCall
    number: int
    path: str

    def look(self, result: References, text: str, written: str, sign: str, value: str) -> None:
        """Add what is referred to, if it is there."""
        if sign == ">":
            result.links[written] = self.path
        elif sign in KINDS:
            for row in self._ask(KINDS[sign], iids=[value]) or []:
                _add(result, text, written, f"{self.path}/-/{KINDS[sign]}/{value}", row)
        elif address := self._address(sign, value):
            result.links[written] = address

    def _address(self, sign: str, value: str) -> str | None:
        name = value.strip('"')
        if sign == "$":
            is_there = self._ask("snippets/:snippet_id", snippet_id=value) is not None
            return f"{self.path}/-/snippets/{value}" if is_there else None
        if sign == "@":
            commit = self._ask("repository/commits/:sha", sha=value, stats=False)
            is_there = commit is not None and str(commit["id"]).startswith(value)  # a branch may have such a name
            return f"{self.path}/-/commit/{commit['id']}" if is_there else None
        if sign == "~":
            labels = self._ask("labels", search=name, per_page="100") or []
            is_there = any(row["name"] == name for row in labels)
            return f"{self.path}/-/issues?labels={quote(name, safe='')}" if is_there else None
        rows = self._ask("milestones", title=name, include_ancestors=True) or []
        return next((urlsplit(row["web_url"]).path for row in rows if row["web_url"]), None)

    def _ask(self, address: str, **values: object) -> Any:
        return look_up(self.call, f"/projects/:id/{address}", id=self.number, **values)


def _root(call: PageCall) -> str:
    return f"/{call.project.full_path}/-"
