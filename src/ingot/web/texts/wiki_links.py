"""Links of wikis: `[[Page]]` and `[[words|Page]]`."""

from urllib.parse import quote

from markdown_it.rules_inline import StateInline

LONGEST = 512
CONTENTS = "_toc_"  # another rule's: the contents of the page


def read_wiki_link(state: StateInline, silent: bool) -> bool:
    """A rule of the parser. The page's address is relative to the wiki, as those of other links are."""
    if not state.src.startswith("[[", state.pos) or "wiki" not in (state.env.get("place") or {}):
        return False
    inside, closed, _ = state.src[state.pos + 2 : state.pos + 2 + LONGEST].partition("]]")
    words, _, page = inside.rpartition("|")
    page = page.strip()
    if not closed or page.lower() in ("", CONTENTS) or "\n" in inside or "[" in inside:
        return False
    if not silent:
        address = page if "://" in page else quote(page.replace(" ", "-"), safe="/#")
        state.push("link_open", "a", 1).attrSet("href", address)
        state.push("text", "", 0).content = words.strip() or page
        state.push("link_close", "a", -1)
    state.pos += len(inside) + 4
    return True
