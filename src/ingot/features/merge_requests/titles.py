"""What a title and a description say: draft marks and task lists."""

import re

_DRAFT = re.compile(r"\s*(?:draft:|\[draft\]|\(draft\))\s*", re.IGNORECASE)
_FENCE = re.compile(r"\s*(?:>\s*)*(```+|~~~+)")
_TASK = re.compile(r"(?:[ \t]*>)*[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+\[([ xX])\][ \t]+\S")
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
    for line in _COMMENT.sub("", description).splitlines():
        mark = _FENCE.match(line)
        if mark is not None:
            if fence is None:
                fence = mark[1][:3]
            elif mark[1].startswith(fence):
                fence = None
            continue
        if fence is not None:
            continue
        task = _TASK.match(line)
        if task is not None and not _is_indented_code(line):
            total += 1
            done += task[1] in "xX"
    return total, done


def _is_indented_code(line: str) -> bool:
    # Nested items are indented too; only a line that starts this deep without being nested could be code, and a list
    # marker right behind eight spaces is far more often a nested item.
    return line.startswith(("            ", "\t\t\t"))
