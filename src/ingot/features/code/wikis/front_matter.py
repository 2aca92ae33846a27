"""The values before the text of a page: lines of `name: value` between two lines of three dashes."""

_FENCE = "---"
_LARGEST = 8192  # characters


def split_front_matter(text: str) -> tuple[str, str]:
    """The values and the text behind them; no values where the page does not begin with a closed fence."""
    if not text.startswith(f"{_FENCE}\n"):
        return "", text
    end = text.find(f"\n{_FENCE}\n", len(_FENCE), _LARGEST)
    if end < 0:
        return "", text
    return text[len(_FENCE) + 1 : end + 1], text[end + len(_FENCE) + 2 :]


def front_matter(text: str) -> dict[str, str]:
    """The values of a page by their names; nested ones are left out."""
    result = {}
    for line in split_front_matter(text)[0].splitlines():
        name, separator, value = line.partition(":")
        if separator and name.strip() and not line[:1].isspace() and value.strip():
            result[name.strip()] = value.strip().strip("\"'")
    return result
