"""Names of emoji: valid names and their aliases."""

ALIASES = {"+1": "thumbsup", "-1": "thumbsdown", "thumbs_up": "thumbsup", "thumbs_down": "thumbsdown"}


def known_name(text: str) -> str | None:
    """The name under which a reaction is stored, or None where there is no such emoji."""
    name = text.strip().strip(":").lower()
    name = ALIASES.get(name, name)
    if name in ("thumbsup", "thumbsdown"):
        return name
    if not name or len(name) > 255:
        return None
    # Imported on first use: only reactions need its table of names.
    from rich.emoji import Emoji, NoEmoji

    try:
        Emoji(name)
    except NoEmoji:
        return None
    return name
