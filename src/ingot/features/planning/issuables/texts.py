"""Limits of titles and descriptions."""

TITLE_LIMIT = 255
DESCRIPTION_LIMIT = 1_048_576


def text_problems(title: str | None, description: str | None) -> dict[str, list[str]]:
    """Problems of a title or description."""
    problems: dict[str, list[str]] = {}
    if title is not None:
        if not title.strip():
            problems["title"] = ["can't be blank"]
        elif len(title.strip()) > TITLE_LIMIT:
            problems["title"] = [f"is too long (maximum is {TITLE_LIMIT} characters)"]
    if description is not None and len(description) > DESCRIPTION_LIMIT:
        problems["description"] = [f"is too long (maximum is {DESCRIPTION_LIMIT} characters)"]
    return problems
