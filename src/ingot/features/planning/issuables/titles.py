"""Draft marks in titles and task lists in descriptions."""

from ingot.kit.patterns import pattern

_DRAFT = pattern(r"\s*(?:draft:|\[draft\]|\(draft\))\s*", ignore_case=True)
_FENCE = pattern(r"[\s>]*(```|~~~)")
_TASK = pattern(r"(?:[ \t]*>)*[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+\[([ xX])\][ \t]+\S")
_ITEM = pattern(r"(?:[ \t]*>)*[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_DEEP = ("    ", "\t", " \t", "  \t", "   \t")
_COMMENT = pattern(r"<!--.*?-->", dot_all=True)


def is_draft(title: str) -> bool:
    """The title begins with a draft mark."""
    return _DRAFT.match(title) is not None


def without_draft(title: str) -> str:
    """The title with one draft mark taken away."""
    return _DRAFT.sub("", title, count=1) if is_draft(title) else title


def with_draft(title: str) -> str:
    """The title with a draft mark, unless it has one."""
    return title if is_draft(title) else f"Draft: {title}"


def count_tasks(description: str | None) -> tuple[int, int]:
    """All task items and the completed ones; code, comments and `[~]` items do not count."""
    if not description:
        return 0, 0
    total = done = 0
    fence: str | None = None
    in_list = after_blank = False
    for line in _COMMENT.sub("", description).splitlines():
        if not line.strip():
            after_blank = True
            continue
        mark = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if mark is not None:
            if fence is None:
                fence = mark[1]
            elif mark[1] == fence:
                fence = None
        if mark is not None or fence is not None:
            continue
        # Deep lines are nested items below an item; elsewhere they are code.
        is_deep = line.startswith(_DEEP)
        if is_deep and not in_list:
            continue
        if _ITEM.match(line) is not None:
            in_list = True
        elif after_blank and not is_deep:
            in_list = False
        after_blank = False
        task = _TASK.match(line) if "[" in line else None
        if task is not None:
            total += 1
            done += task[1] in "xX"
    return total, done
