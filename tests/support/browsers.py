"""The browser of this machine."""

import os
import shutil


def find_browser() -> str | None:
    """The path of a Chromium, by `INGOT_TEST_BROWSER` or its usual names; None where there is none."""
    named = os.environ.get("INGOT_TEST_BROWSER")
    return named or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
