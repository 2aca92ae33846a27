"""What a browser calls itself, in words: browser, system, and whether it is a phone or a tablet."""

# The first that matches counts: most browsers also name those that they descend from.
BROWSERS = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("Vivaldi/", "Vivaldi"), ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("Chromium/", "Chromium"), ("HeadlessChrome/", "Chromium"),
    ("Chrome/", "Chrome"), ("CriOS/", "Chrome"), ("Safari/", "Safari"),
)  # fmt: skip
SYSTEMS = (
    ("Android", "Android"), ("iPhone", "iOS"), ("iPad", "iPadOS"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"), ("Macintosh", "macOS"), ("FreeBSD", "FreeBSD"), ("OpenBSD", "OpenBSD"), ("Linux", "Linux"),
)  # fmt: skip
TABLETS, PHONES = ("iPad", "Tablet"), ("iPhone", "Mobile")


def agent_words(agent: str) -> str:
    """As in "Firefox on Android, phone"; programs that are no browsers by their first word."""
    browser = _first(BROWSERS, agent) or agent.partition("/")[0].strip()[:40] or "Unknown browser"
    system = _first(SYSTEMS, agent)
    words = f"{browser} on {system}" if system else browser
    if any(mark in agent for mark in TABLETS):
        return f"{words}, tablet"
    return f"{words}, phone" if any(mark in agent for mark in PHONES) else words


def _first(names: tuple[tuple[str, str], ...], agent: str) -> str:
    return next((name for mark, name in names if mark in agent), "")
