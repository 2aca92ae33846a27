"""A small bar chart, as SVG."""

from __future__ import annotations

WIDTH, LABEL, ROW, TOP = 640, 150, 34, 30


def bars(values: list[tuple[str, float, float]], caption: str) -> str:
    """One pair of bars for each name: what it costs (dark), and what it is compared with (light)."""
    longest = max(max(pair) for _, *pair in values)
    scale = (WIDTH - LABEL - 80) / longest
    height = TOP + ROW * len(values) + 10
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif"'
            ' font-size="12">'
        ),
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="{LABEL}" y="18" fill="#333">{caption}</text>',
    ]
    for place, (name, cost, floor) in enumerate(values):
        y = TOP + ROW * place
        parts += [
            f'<text x="{LABEL - 8}" y="{y + 16}" text-anchor="end" fill="#333">{name}</text>',
            f'<rect x="{LABEL}" y="{y + 2}" width="{max(cost * scale, 1):.1f}" height="13" fill="#2f5d8a"/>',
            f'<text x="{LABEL + cost * scale + 5:.1f}" y="{y + 13}" fill="#333">{cost:.0f}</text>',
            f'<rect x="{LABEL}" y="{y + 16}" width="{max(floor * scale, 1):.1f}" height="9" fill="#a9c6e0"/>',
            f'<text x="{LABEL + floor * scale + 5:.1f}" y="{y + 25}" fill="#777" font-size="10">{floor:.0f}</text>',
        ]
    return "\n".join([*parts, "</svg>", ""])
