"""How sessions name browser and system."""

import pytest

from ingot.web.agents import agent_words

MOZILLA = "Mozilla/5.0"
WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"
MAC = "(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)"
AGENTS = {
    f"{MOZILLA} (X11; Linux x86_64) {WEBKIT} HeadlessChrome/131.0.0.0 Safari/537.36": "Chromium on Linux",
    f"{MOZILLA} (X11; Linux x86_64) {WEBKIT} Chrome/131.0.0.0 Safari/537.36": "Chrome on Linux",
    f"{MOZILLA} (Windows NT 10.0; Win64; x64) {WEBKIT} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0": "Edge on Windows",
    f"{MOZILLA} (X11; Ubuntu; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0": "Firefox on Linux",
    f"{MOZILLA} (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0": "Firefox on Android, phone",
    f"{MOZILLA} {MAC} Version/18.1 Safari/605.1.15": "Safari on macOS",
    f"{MOZILLA} (iPad; CPU OS 17_1 like Mac OS X) {WEBKIT} Version/17.1 Mobile/15E148 Safari/604.1": (
        "Safari on iPadOS, tablet"
    ),
    "curl/8.11.0": "curl",
    "": "Unknown browser",
}


@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_in_words(agent: str) -> None:
    assert agent_words(agent) == AGENTS[agent]
