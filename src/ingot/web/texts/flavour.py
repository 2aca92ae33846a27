"""What people are used to beyond the usual Markdown.

Task lists, long quotations, words added and taken away, a table of contents, and addresses of this server
written short. Nothing here looks for the same thing again and again: texts are long, and some are written to be slow.
"""

from html import escape
from itertools import pairwise
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from ingot.kit.patterns import pattern

_FENCE = pattern(r"(>{3,100})[ \t]*(\[![A-Za-z]{3,12}\].*)?")
CHANGES: Final = {"{+": ("+}", "ins"), "[+": ("+]", "ins"), "{-": ("-}", "del"), "[-": ("-]", "del")}
LONGEST_CHANGE = 2000  # characters of a line that are searched for the end of a change
CONTENTS: Final = ("[toc]", "[[_toc_]]")
INAPPLICABLE = "[~]"
BOXES: Final = {
    "[ ]": '<input disabled type="checkbox">', "[x]": '<input checked disabled type="checkbox">',
    INAPPLICABLE: '<input type="checkbox" title="Does not apply" disabled>',
}  # fmt: skip
KINDS: Final = {"issues": "#", "work_items": "#", "merge_requests": "!", "snippets": "$"}
_THING = pattern(r"(.{1,500})/-/(issues|work_items|merge_requests|snippets)/([1-9][0-9]{0,8})(?:#note_([0-9]{1,18}))?")


def flavour_plugin(parser: MarkdownIt) -> None:
    """Add all of it; the plugin of anchors comes before."""
    ends = ["paragraph", "reference", "blockquote", "list"]  # what it may come right behind
    parser.block.ruler.before("blockquote", "fenced_quote", _fenced_quote, {"alt": ends})
    parser.inline.ruler.before("link", "change", _change)
    parser.core.ruler.after("inline", "task_lists", _task_lists)
    parser.core.ruler.push("contents", _contents)
    parser.core.ruler.push("short_addresses", _short_addresses)


def _fenced_quote(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    """A quotation between lines of `>>>`, as it was pasted; behind the signs an alert may begin."""
    if state.is_code_block(first) or (fence := _FENCE.fullmatch(_line(state, first))) is None:
        return False
    end = _end_of_quote(state, first, last, len(fence[1]))
    if end is not None and not silent:
        _push_quote(state, first, end, fence[2] or "")
    return end is not None


def _end_of_quote(state: StateBlock, first: int, last: int, length: int) -> int | None:
    """The line that closes it. Where none does, the lines that were searched are not searched again."""
    searched: dict[tuple[int, ...], range] = state.env.setdefault("unclosed_quotes", {})
    place = (last, state.level, state.blkIndent, length)
    if first in searched.get(place, ()):
        return None
    end = first + 1
    while end < last and (state.sCount[end] >= state.blkIndent or state.isEmpty(end)):
        if _closes(state, end, length):
            return end
        end += 1
    searched[place] = range(first, end)
    return None


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].rstrip()


def _closes(state: StateBlock, number: int, length: int) -> bool:
    return not state.is_code_block(number) and len(line := _line(state, number)) >= length and not line.strip(">")


def _push_quote(state: StateBlock, first: int, end: int, heading: str) -> None:
    parent, line_max = state.parentType, state.lineMax
    state.parentType, state.lineMax = "blockquote", end
    state.push("blockquote_open", "blockquote", 1).map = [first, end]
    if heading:
        state.push("paragraph_open", "p", 1)
        inline = state.push("inline", "", 0)
        inline.content, inline.children, inline.map = heading, [], [first, first + 1]
        state.push("paragraph_close", "p", -1)
    state.md.block.tokenize(state, first + 1, end)
    state.push("blockquote_close", "blockquote", -1)
    state.parentType, state.lineMax, state.line = parent, line_max, end + 1


def _change(state: StateInline, silent: bool) -> bool:
    """Words that were added, `{+ so +}`, or taken away, `{- so -}`; square brackets do as well."""
    start, limit = state.pos + 2, state.posMax
    closing, tag = CHANGES.get(state.src[state.pos : start], ("", ""))
    if not closing:
        return False
    end = state.src.find(closing, start + 1, min(limit, start + LONGEST_CHANGE))
    words = state.src[start:end]
    # Brackets that end before are those of a link.
    if end < 0 or "\n" in words or (closing[1] == "]" and "]" in words):
        return False
    if not silent:
        state.push(f"{tag}_open", tag, 1)
        state.pos, state.posMax = start, end
        state.md.inline.tokenize(state)
        state.push(f"{tag}_close", tag, -1)
    state.pos, state.posMax = end + len(closing), limit
    return True


def _task_lists(state: StateCore) -> None:
    """Boxes before items that begin with `[ ]`, `[x]` or `[~]`; words of a task that does not apply are struck out."""
    tokens: list[Token] = state.tokens
    lists: list[Token] = []
    for place, token in enumerate(tokens):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            lists.append(token)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif token.children and (mark := _mark(tokens, place)):
            lists[-1].attrSet("class", "contains-task-list")
            tokens[place - 2].attrSet("class", "task-list-item")
            token.children[0].content = token.children[0].content[len(mark) :]
            box = Token("html_inline", "", 0, content=BOXES[mark.lower()])
            token.children = [box, *(_struck(token.children) if mark == INAPPLICABLE else token.children)]


def _mark(tokens: list[Token], place: int) -> str:
    """The mark that the first paragraph of an item begins with; empty for none."""
    mark = tokens[place].content[:3]
    is_task = mark.lower() in BOXES and tokens[place].content[3:4] in (" ", "\t", "\n")
    before = [token.type for token in tokens[max(place - 2, 0) : place]]
    return mark if is_task and before == ["list_item_open", "paragraph_open"] else ""


def _struck(children: list[Token]) -> list[Token]:
    children[0].content = children[0].content.lstrip()
    space = Token("text", "", 0, content=" ")
    return [space, Token("s_open", "s", 1), *children, Token("s_close", "s", -1)]


def _contents(state: StateCore) -> None:
    """A list of all headings where `[TOC]` or `[[_TOC_]]` stands alone; once in a text."""
    for place, token in enumerate(state.tokens):
        if token.type == "inline" and token.level == 1 and token.content.strip().lower() in CONTENTS:
            listed = Token("html_block", "", 0, content=_list_of(_headings(state.tokens)))
            state.tokens[place - 1 : place + 2] = [listed]
            return


def _headings(tokens: list[Token]) -> list[tuple[int, str, str]]:
    """Level, anchor and words of each heading."""
    result = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and token.attrGet("id"):
            result.append((int(token.tag[1]), str(token.attrGet("id")), _words(tokens[place + 1])))
    return result


def _words(heading: Token) -> str:
    shown = [child for child in heading.children or [] if child.type in ("text", "code_inline", "softbreak")]
    return "".join(child.content or " " for child in shown)


def _list_of(headings: list[tuple[int, str, str]]) -> str:
    parts: list[str] = []
    levels: list[int] = []  # of the lists that are open
    for level, anchor, words in headings:
        while len(levels) > 1 and level < levels[-1]:
            levels.pop()
            parts.append("</li></ul>")
        if not levels or level > levels[-1]:
            levels.append(level)
            parts.append("<ul>")
        else:
            parts.append("</li>")
        parts.append(f'<li><a href="#{escape(anchor)}">{escape(words)}</a>')
    return "".join([*parts, "</li></ul>" * len(levels)])


def _short_addresses(state: StateCore) -> None:
    """Show addresses of issues and the like, which people paste, as the references that they are."""
    place = state.env.get("place") or {}
    own = place.get("own")
    if not own:
        return
    for block in state.tokens:
        children = block.children or []
        for opened, words in pairwise(children):
            if opened.type == "link_open" and opened.markup in ("linkify", "autolink") and words.type == "text":
                words.content = _short(str(opened.attrGet("href") or ""), own, place) or words.content


def _short(address: str, own: str, place: dict[str, str]) -> str:
    if not address.startswith(f"{own}/") or (thing := _THING.fullmatch(address.removeprefix(own))) is None:
        return ""
    path, kind, number, note = thing.groups()
    where = "" if path == place.get("project") else path.strip("/")
    return f"{where}{KINDS[kind]}{number}" + (f" (comment {note})" if note else "")
