"""Markdown with tables, task lists, footnotes, references and highlighted code; sanitised at the end."""

from functools import cache
from urllib.parse import urlsplit

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from ingot.web.texts.code import colour_lines

ANCHOR = "md-"
TAGS = {
    "a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "details", "div", "dl", "dt", "em", "h1", "h2", "h3",
    "h4", "h5", "h6", "hr", "i", "img", "input", "ins", "kbd", "li", "mark", "ol", "p", "pre", "q", "s", "samp",
    "section", "small", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr",
    "ul", "var",
}  # fmt: skip
CLASSES = {
    "a": {"ref", "footnote-ref", "footnote-backref"}, "code": {"code"}, "div": {"alert"}, "hr": {"footnotes-sep"},
    "li": {"task-list-item", "footnote-item"}, "pre": {"code"}, "section": {"footnotes"},
    "span": {"c", "k", "s", "m", "f", "t", "o"}, "sup": {"footnote-ref"}, "ul": {"contains-task-list"},
}  # fmt: skip
ATTRIBUTES = {
    "*": {"title", "dir", "lang"}, "a": {"href"}, "img": {"src", "alt", "width", "height"}, "ol": {"start"},
    "input": {"type", "checked", "disabled"}, "td": {"align", "colspan", "rowspan"},
    "th": {"align", "colspan", "rowspan"}, "details": {"open"},
}  # fmt: skip
WORD_END = set(" \t\n.,:;!?()[]{}'\"")


def render(text: str, links: dict[str, str], place: dict[str, str]) -> str:
    """Safe HTML of a text, with its references linked; relative addresses begin at `blob` and `raw` of `place`."""
    html = _parser().render(text, {"links": links, "place": place})
    return nh3.clean(
        html,
        tags=TAGS,
        attributes={
            **ATTRIBUTES,
            **{tag: {*ATTRIBUTES.get(tag, ()), "id"} for tag in ("h1", "h2", "h3", "h4", "h5", "h6")},
        },
        allowed_classes=CLASSES,
        attribute_filter=_filter_attribute,
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow noopener noreferrer",
    )


def _filter_attribute(tag: str, name: str, value: str) -> str | None:
    if name == "id":
        return value if value.startswith(ANCHOR) else None
    if tag == "input" and name == "type":
        return "checkbox"
    if tag == "img" and name == "src" and urlsplit(value).netloc:
        return None
    return value


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("gfm-like", {"html": True, "highlight": _highlight})
    parser.use(footnote_plugin).use(tasklists_plugin, enabled=False)
    parser.use(anchors_plugin, max_level=6, slug_func=_slug, permalink=False)
    parser.core.ruler.push("references", _references)
    parser.core.ruler.push("addresses", _addresses)
    return parser


def _slug(title: str) -> str:
    cleaned = "".join(sign if sign.isalnum() or sign in "-_" else " " for sign in title.lower())
    return ANCHOR + "-".join(cleaned.split())


def _highlight(text: str, language: str, _: str) -> str:
    lines = colour_lines(text, f"language:{language}") if language else []
    return f'<pre class="code"><code class="code">{chr(10).join(lines)}</code></pre>' if lines else ""


def _references(state: StateCore) -> None:
    """Turn `#1`, `!2` and `@name` into links if they exist."""
    links = state.env.get("links") or {}
    if not links:
        return
    for block in state.tokens:
        if block.type != "inline" or not block.children:
            continue
        children: list[Token] = []
        depth = 0
        for token in block.children:
            depth += {"link_open": 1, "link_close": -1}.get(token.type, 0)
            children += _linked(token, links) if token.type == "text" and depth == 0 else [token]
        block.children = children


def _linked(token: Token, links: dict[str, str]) -> list[Token]:
    result: list[Token] = []
    text, rest = token.content, ""
    for word in _words(text):
        if word in links:
            if rest:
                result.append(_text(rest))
                rest = ""
            opened = Token("link_open", "a", 1, attrs={"href": links[word], "class": "ref"})
            result += [opened, _text(word), Token("link_close", "a", -1)]
        else:
            rest += word
    return [*result, _text(rest)] if rest else result


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _words(text: str) -> list[str]:
    """The text cut at the ends of words; put together, the parts are the text again."""
    parts, word = [], ""
    for sign in text:
        if sign in WORD_END and (word or sign != "!"):
            parts += [word, sign] if word else [sign]
            word = ""
        else:
            word += sign
    return [*parts, word] if word else parts


def _addresses(state: StateCore) -> None:
    """Resolve relative addresses in the repository; external images become links."""
    place = state.env.get("place") or {}
    for block in state.tokens:
        for token in block.children or []:
            if token.type == "link_open":
                token.attrSet("href", _address(str(token.attrGet("href") or ""), place, "blob"))
            elif token.type == "image":
                source = str(token.attrGet("src") or "")
                if urlsplit(source).netloc:
                    token.type, token.tag, token.children = "html_inline", "", None
                    token.content = f'<a href="{nh3.clean_text(source)}">{nh3.clean_text(token.content or source)}</a>'
                else:
                    token.attrSet("src", _address(source, place, "raw"))


def _address(url: str, place: dict[str, str], kind: str) -> str:
    parts = urlsplit(url)
    if url.startswith("#"):
        return f"#{ANCHOR}{url[1:]}"
    if url.startswith("/uploads/") and "project" in place:
        return f"{place['project']}{url}"
    if parts.scheme or parts.netloc or url.startswith("/") or kind not in place:
        return url
    return f"{place[kind]}/{url.removeprefix('./')}"
