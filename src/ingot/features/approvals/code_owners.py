"""CODEOWNERS: who owns which files, read from the target branch."""

import re

from ingot.gitstore import Repository, objects

PLACES = ("CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
_SECTION = re.compile(r"\^?\[([^\]]+)\](?:\[\d+\])?\s*(.*)")
_OWNER = re.compile(r"@[\w./-]+|\S+@\S+")

MOST_WILDCARDS = 15
WILDCARDS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}

Rules = list[tuple[str, re.Pattern[str], list[str]]]  # section, pattern, owners


def read_rules(repository: Repository, sha: str) -> Rules:
    """The rules at a commit; without the file there are none."""
    for place in PLACES:
        blob = objects.find_blob(repository, sha, place)
        if blob is not None:
            return parse(blob.content.decode(errors="replace"))
    return []


def parse(text: str) -> Rules:
    """Lines of `pattern owner owner`; sections may have default owners."""
    rules: Rules = []
    section, defaults = "", []
    for raw in text.splitlines()[:10_000]:
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        head = _SECTION.fullmatch(line)
        if head is not None:
            section, defaults = head[1].strip().lower(), _OWNER.findall(head[2])
            continue
        parts = re.split(r"(?<!\\)\s+", line, maxsplit=1)
        owners = _OWNER.findall(parts[1]) if len(parts) > 1 else []
        rules.append((section, _pattern(parts[0].replace("\\ ", " ")), owners or defaults))
    return rules


def _pattern(text: str) -> re.Pattern[str]:
    anchored = text.startswith("/")
    body = text.lstrip("/")
    if body.endswith("/"):
        body += "**/*"
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", body)
    if len(parts) > MOST_WILDCARDS:  # so many could take for ever to match
        return re.compile(re.escape(body))
    inner = "".join(WILDCARDS.get(part, re.escape(part)) for part in parts)
    return re.compile(("" if anchored else "(?:.*/)?") + inner + "(?:/.*)?")


def owners_of(rules: Rules, path: str) -> set[str]:
    """Lower-cased owners (`@name` without the sign, or mail addresses); the last match of each section counts."""
    chosen = {section: owners for section, pattern, owners in rules if pattern.fullmatch(path)}
    return {owner.lstrip("@").lower() for owners in chosen.values() for owner in owners}
