"""Columns for search and for ordering by name and path, lower-cased so that both databases agree."""


def search_values(name: str, path: str, description: str | None) -> dict[str, str]:
    """The columns that follow from a project's name, path and description; write them together."""
    return {
        "name_lower": name.lower(),
        "path_lower": path.lower(),
        # The empty lines let the last letters begin a trigram too.
        "search_text": f"{path}\n{name}\n{description or ''}\n\n".lower(),
    }
