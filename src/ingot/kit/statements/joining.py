"""Several queries that give one value each, as one statement with a column for each."""

from collections.abc import Iterable, Sequence

# By name or by place, as the driver takes them.
Parameters = dict[str, object] | Sequence[object]


def joined(queries: Iterable[tuple[str, Parameters]]) -> tuple[str, Parameters]:
    """The statement and its parameters."""
    texts: list[str] = []
    listed: list[object] = []
    named: dict[str, object] = {}
    for place, (text, given) in enumerate(queries):
        if isinstance(given, dict):
            prefix = f"q{place}_"
            texts.append(_with_prefix(text, prefix))
            named |= {f"{prefix}{name}": value for name, value in given.items()}
        else:
            texts.append(text)
            listed += given
    columns = ", ".join(f"({text})" for text in texts)
    return f"SELECT {columns}", named or listed


def _with_prefix(text: str, prefix: str) -> str:
    """The text with other names for its parameters, `%(name)s`; a percent sign that is meant stands twice."""
    return "%%".join(part.replace("%(", f"%({prefix}") for part in text.split("%%"))
