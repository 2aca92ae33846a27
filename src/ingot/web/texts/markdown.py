"""Markdown with tables, task lists, footnotes, references and highlighted code; sanitised at the end."""

from collections.abc import Callable
from functools import cache
from html import escape
from typing import cast
from urllib.parse import urlsplit
from zlib import crc32

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from ingot.web.texts.code import colour_lines
from ingot.web.texts.flavour import flavour_plugin
from ingot.web.texts.pictures import leads_away, picture_address
from ingot.web.texts.wiki_links import read_wiki_link

ANCHOR = "md-"
# Drawing them takes scripts of others. A sentence says that what is shown is their code.
DIAGRAMS = {"mermaid": "Mermaid", "plantuml": "PlantUML", "dot": "Graphviz", "graphviz": "Graphviz"}
PLAYED = (".mp4", ".m4v", ".mov", ".webm", ".ogv", ".mp3", ".oga", ".ogg", ".spx", ".wav")  # links: nothing plays here
MOST_FOREIGN = 100  # pictures of other servers in one text; the others stay links
TAGS = {
    "a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "details", "div", "dl", "dt", "em", "h1", "h2", "h3",
    "h4", "h5", "h6", "hr", "i", "img", "input", "ins", "kbd", "li", "mark", "ol", "p", "pre", "q", "s", "samp",
    "section", "small", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr",
    "ul", "var",
}  # fmt: skip
ALERTS = ("note", "tip", "important", "caution", "warning")
CLASSES = {
    "a": {"ref", "footnote-ref", "footnote-backref"}, "code": {"code"}, "hr": {"footnotes-sep"},
    "div": {"alert", *(f"alert-{kind}" for kind in ALERTS)}, "p": {"alert-title", "undrawn"},
    "li": {"task-list-item", "footnote-item"}, "pre": {"code"}, "section": {"footnotes"},
    "span": {"c", "k", "s", "m", "f", "t", "o", "gi", "gd"}, "sup": {"footnote-ref"}, "ul": {"contains-task-list"},
}  # fmt: skip
ATTRIBUTES = {
    "*": {"title", "dir", "lang"}, "a": {"href"}, "img": {"src", "alt", "width", "height", "loading"}, "ol": {"start"},
    "input": {"type", "checked", "disabled"}, "td": {"align", "colspan", "rowspan"},
    "th": {"align", "colspan", "rowspan"}, "details": {"open"},
    **{tag: {"align"} for tag in ("p", "div", "h1", "h2", "h3", "h4", "h5", "h6")},
}  # fmt: skip


def render(text: str, links: dict[str, str], place: dict[str, str], words: dict[str, str] | None = None) -> str:
    """Safe HTML of a text, with its references linked; relative addresses begin at `blob` and `raw` of `place`.

    `words` are shown instead of references that ask for more than themselves. Pictures of other servers are shown where
    `place` has the key for their addresses (`pictures`, and `own`: ours).
    """
    # Several texts of a page have footnotes of the same number.
    number = f"{crc32(text.encode()):x}"
    html = _parser().render(text, {"links": links, "place": place, "words": words or {}, "docId": number})
    sources = _Sources(place)

    def filter_attribute(tag: str, name: str, value: str) -> str | None:
        if tag == "img" and name == "src":
            return sources.shown(_address_of_tag(value, place, "raw"))
        if tag == "a" and name == "href":
            return _address_of_tag(value, place, "blob")
        return _filter_attribute(tag, name, value)

    return nh3.clean(
        html,
        tags=TAGS,
        attributes={
            **ATTRIBUTES,
            **{tag: {*ATTRIBUTES.get(tag, ()), "id"} for tag in ("h1", "h2", "h3", "h4", "h5", "h6", "a", "li")},
        },
        allowed_classes=CLASSES,
        attribute_filter=filter_attribute,
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow noopener noreferrer",
    )


def _address_of_tag(url: str, place: dict[str, str], kind: str) -> str:
    """As that of a link or picture in Markdown, which is whole already."""
    try:
        return url if url.startswith(f"#{ANCHOR}") else _address(url, place, kind)
    except ValueError:  # no address that can be read
        return url


def _filter_attribute(tag: str, name: str, value: str) -> str | None:
    if name == "id":
        return value if value.startswith(ANCHOR) else None
    if tag == "input" and name == "type":
        return "checkbox"
    if tag == "img" and name == "loading":
        return "lazy"
    return value


class _Sources:
    """Where the pictures of one text are shown from."""

    def __init__(self, place: dict[str, str]) -> None:
        self._place = place
        self._left = MOST_FOREIGN

    def shown(self, source: str) -> str | None:
        """The address, or None: then a browser shows the words instead."""
        if _is_elsewhere(source, self._place):
            self._left -= 1
            if self._left < 0 or "pictures" not in self._place:
                return None
        elif "pictures" not in self._place:
            return source
        return picture_address(self._place["pictures"], self._place["own"], source)


def _is_elsewhere(source: str, place: dict[str, str]) -> bool:
    """The picture is not on this server, or its address cannot be read."""
    own = place.get("own")
    if leads_away(source.strip()):
        return True
    try:
        return bool(urlsplit(source).netloc) and not (own and source.strip().startswith(f"{own}/"))
    except ValueError:
        return True


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("gfm-like", {"html": True, "highlight": _highlight})
    parser.use(footnote_plugin)
    parser.use(anchors_plugin, max_level=6, slug_func=_slug, permalink=False)
    parser.use(deflist_plugin).use(front_matter_plugin)
    parser.inline.ruler.before("link", "wiki_links", read_wiki_link)
    parser.core.ruler.push("alerts", _alerts)
    parser.core.ruler.push("emoji", _emoji)
    parser.use(flavour_plugin)
    parser.core.ruler.push("references", _references)
    parser.core.ruler.push("addresses", _addresses)
    parser.core.ruler.push("alignment", _alignment)
    rules = cast("RendererHTML", parser.renderer).rules
    for name in ("footnote_ref", "footnote_open", "footnote_anchor"):
        parser.add_render_rule(name, _with_anchors(rules[name]))
    parser.add_render_rule("front_matter", _front_matter)
    return parser


def _front_matter(_: object, tokens: list[Token], place: int, *__: object) -> str:
    """Settings that a file begins with, as the code that they are."""
    text = tokens[place].content
    return _highlight(text, "yaml", "") or f"<pre><code>{escape(text)}</code></pre>"


def _with_anchors(rule: Callable[..., str]) -> Callable[..., str]:
    """Footnotes and the way back to the text; ids of texts begin so that they are no others of the page."""

    def written(*given: object, **options: object) -> str:
        html = rule(*given[1:], **options)
        return html.replace(' id="fn', f' id="{ANCHOR}fn').replace(' href="#fn', f' href="#{ANCHOR}fn')

    return written


def _alignment(state: StateCore) -> None:
    """Say how a column is aligned with an attribute: styles are not allowed in pages."""
    for token in state.tokens:
        style = str(token.attrs.pop("style", "")) if token.type in ("th_open", "td_open") else ""
        if style.startswith("text-align:"):
            token.attrSet("align", style.removeprefix("text-align:"))


def _slug(title: str) -> str:
    cleaned = "".join(sign if sign.isalnum() or sign in "-_" else " " for sign in title.lower())
    return ANCHOR + "-".join(cleaned.split())


def _highlight(text: str, language: str, _: str) -> str:
    lines = colour_lines(text, f"language:{language}") if language else []
    code = f'<pre class="code"><code class="code">{chr(10).join(lines)}</code></pre>' if lines else ""
    drawn_by = DIAGRAMS.get(language.lower())
    return f'{code}<p class="undrawn">This is the code of a {drawn_by} diagram.</p>' if code and drawn_by else code


def _alerts(state: StateCore) -> None:
    """Turn each quotation that begins with `[!note]` into a box with a heading."""
    tokens, result = state.tokens, []
    bodies: dict[int, list[Token]] = {}  # paragraphs that follow a heading, by the place of its end
    opened: list[bool] = []  # whether the quotations around are alerts
    for place, token in enumerate(tokens):
        result += [token, *bodies.pop(place, ())]
        if token.type == "blockquote_open":
            heading = _heading(tokens[place + 1 : place + 3])
            opened.append(heading is not None)
            if heading is not None:
                kind, title, rest = heading
                token.tag = "div"
                token.attrSet("class", f"alert alert-{kind}")
                tokens[place + 1].attrSet("class", "alert-title")
                tokens[place + 2].children = [_text(title)]
                bodies[place + 3] = _paragraph(state, rest, token.level + 1) if rest else []
        elif token.type == "blockquote_close":
            token.tag = "div" if opened.pop() else token.tag
    state.tokens = result


def _heading(tokens: list[Token]) -> tuple[str, str, str] | None:
    """The kind, the title and the rest of the first paragraph of an alert."""
    if [token.type for token in tokens] != ["paragraph_open", "inline"]:
        return None
    head, _, rest = tokens[1].content.partition("\n")
    kind, bracket, title = head.removeprefix("[!").partition("]")
    if not head.startswith("[!") or not bracket or kind.lower() not in ALERTS:
        return None
    return kind.lower(), title.strip() or kind.capitalize(), rest


def _paragraph(state: StateCore, content: str, level: int) -> list[Token]:
    parsed: list[Token] = []
    state.md.inline.parse(content, state.md, state.env, parsed)
    inline = Token("inline", "", 0, content=content, children=parsed, level=level + 1)
    return [
        Token("paragraph_open", "p", 1, level=level, block=True),
        inline,
        Token("paragraph_close", "p", -1, level=level, block=True),
    ]


def _emoji(state: StateCore) -> None:
    """Show `:tada:` as the sign that it names."""
    for block in state.tokens:
        for token in block.children or []:
            if token.type == "text" and token.content.count(":") > 1:
                from rich.emoji import Emoji

                token.content = Emoji.replace(
                    token.content.replace(":+1:", ":thumbs_up:").replace(":-1:", ":thumbs_down:")
                )


def _references(state: StateCore) -> None:
    """Turn `#1`, `!2`, `~label` and `@name` into links if they exist."""
    links, words = state.env.get("links") or {}, state.env.get("words") or {}
    if not links:
        return
    longest_first = sorted({len(name) for name in links}, reverse=True)
    for block in state.tokens:
        if block.type != "inline" or not block.children:
            continue
        children: list[Token] = []
        depth = 0
        for token in block.children:
            depth += {"link_open": 1, "link_close": -1}.get(token.type, 0)
            children += _linked(token, links, words, longest_first) if token.type == "text" and depth == 0 else [token]
        block.children = children


def _linked(token: Token, links: dict[str, str], words: dict[str, str], lengths: list[int]) -> list[Token]:
    result: list[Token] = []
    text, start, place = token.content, 0, 0
    while place < len(text):
        name = _name_at(text, place, links, lengths) if place == 0 or not _is_of_word(text[place - 1]) else None
        if name is None:
            place += 1
            continue
        opened = Token("link_open", "a", 1, attrs={"href": links[name], "class": "ref"})
        result += [_text(text[start:place])] if start < place else []
        result += [opened, _text(words.get(name, name)), Token("link_close", "a", -1)]
        start = place = place + len(name)
    return [*result, _text(text[start:])] if start < len(text) else result


def _name_at(text: str, place: int, links: dict[str, str], lengths: list[int]) -> str | None:
    for length in lengths:
        end = place + length
        if (name := text[place:end]) in links and (end >= len(text) or not _is_of_word(text[end])):
            return name
    return None


def _is_of_word(sign: str) -> bool:
    return sign.isalnum() or sign in "_/-"


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _addresses(state: StateCore) -> None:
    """Resolve relative addresses in the repository; pictures of other servers lead to where they come from."""
    place = state.env.get("place") or {}
    for block in state.tokens:
        if block.children is None:
            continue
        children: list[Token] = []
        depth = 0  # of links, in which there is no other link
        for token in block.children:
            depth += _opened_links(token)
            if token.type == "link_open":
                token.attrSet("href", _address(str(token.attrGet("href") or ""), place, "blob"))
            if token.type == "image":
                children += _picture(token, place, is_linked=depth > 0)
            else:
                children.append(token)
        block.children = children


def _opened_links(token: Token) -> int:
    if token.type == "html_inline":
        tag = token.content.lower()
        return -1 if tag.startswith("</a>") else int(tag.startswith(("<a ", "<a>")))
    return {"link_open": 1, "link_close": -1}.get(token.type, 0)


def _picture(token: Token, place: dict[str, str], *, is_linked: bool) -> list[Token]:
    source = str(token.attrGet("src") or "")
    name = source.partition("?")[0].rstrip("/").rpartition("/")[2]
    if name.lower().endswith(PLAYED):
        opened = Token("link_open", "a", 1, attrs={"href": _address(source, place, "raw")})
        words = _text(token.content or name)
        return [words] if is_linked else [opened, words, Token("link_close", "a", -1)]
    if not _is_elsewhere(source, place):
        token.attrSet("src", _address(source, place, "raw"))
        return [token]
    if "pictures" in place and picture_address(place["pictures"], place["own"], source) is not None:
        token.attrSet("loading", "lazy")
        if not token.content:
            # Whoever cannot see it, or cannot get it, reads what it is.
            token.children = [_text(name)]
    else:
        token = _text(token.content or source)
    opened = Token("link_open", "a", 1, attrs={"href": source})
    return [token] if is_linked else [opened, token, Token("link_close", "a", -1)]


def _address(url: str, place: dict[str, str], kind: str) -> str:
    parts = urlsplit(url)
    if url.startswith("#"):
        return f"#{ANCHOR}{url[1:]}"
    if url.startswith("/uploads/") and "project" in place:
        return f"{place['project']}{url}"
    if parts.scheme or parts.netloc or url.startswith("/") or kind not in place:
        return url
    return f"{place[kind]}/{url.removeprefix('./')}"
