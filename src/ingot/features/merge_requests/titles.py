"""What a title and a description say: draft marks and task lists."""

import re

_DRAFT = re.compile(r"\s*(?:draft:|\[draft\]|\(draft\))\s*", re.IGNORECASE)
_FENCE = re.compile(r"\s*(?:>\s*)*(```+|~~~+)")
_TASK = re.compile(r"(?:[ \t]*>)*[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+\[([ xX])\][ \t]+\S")
_ITEM = re.compile(r"(?:[ \t]*>)*[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_DEEP = re.compile(r"(?: {4}| {0,3}\t)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


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
        mark = _FENCE.match(line)
        if mark is not None:
            if fence is None:
                fence = mark[1][:3]
            elif mark[1].startswith(fence):
                fence = None
        if mark is not None or fence is not None:
            continue
        # Deep lines are nested items below an item; elsewhere they are code.
        is_deep = _DEEP.match(line) is not None
        if is_deep and not in_list:
            continue
        if _ITEM.match(line) is not None:
            in_list = True
        elif after_blank and line.strip() and not is_deep:
            in_list = False
        after_blank = not line.strip()
        task = _TASK.match(line)
        if task is not None:
            total += 1
            done += task[1] in "xX"
    return total, done
