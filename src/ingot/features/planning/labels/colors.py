"""Colours of labels: valid colours, and readable text colours on them."""

from ingot.kit.patterns import pattern

DEFAULT = "#6699cc"
_HEX = pattern(r"#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})")
NAMED = {
    "black": "#000000", "blue": "#0000ff", "brown": "#a52a2a", "crimson": "#dc143c", "cyan": "#00ffff",
    "gold": "#ffd700", "gray": "#808080", "green": "#008000", "grey": "#808080", "indigo": "#4b0082",
    "lime": "#00ff00", "magenta": "#ff00ff", "maroon": "#800000", "navy": "#000080", "olive": "#808000",
    "orange": "#ffa500", "pink": "#ffc0cb", "purple": "#800080", "red": "#ff0000", "silver": "#c0c0c0",
    "teal": "#008080", "tomato": "#ff6347", "turquoise": "#40e0d0", "violet": "#ee82ee", "white": "#ffffff",
    "yellow": "#ffff00",
}  # fmt: skip


def read_color(text: str) -> str | None:
    """The stored form of a colour, or None for an invalid text."""
    text = text.strip()
    if text.lower() in NAMED:
        return NAMED[text.lower()]
    return text if _HEX.fullmatch(text) else None


def text_color(color: str) -> str:
    """Dark text on light labels, light text on dark ones."""
    digits = color.lstrip("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    red, green, blue = (int(digits[at : at + 2], 16) for at in (0, 2, 4))
    return "#1F1E24" if red + green + blue > 500 else "#FFFFFF"
