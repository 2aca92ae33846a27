"""The manual as files that any web server, or a browser without one, can show."""

import posixpath
import shutil
from pathlib import Path

from ingot.kit.patterns import pattern
from ingot.web import assets
from ingot.web.manual.contents import sections
from ingot.web.manual.page import FOLDER, ROOT, Page, load_page, page_names, picture_names
from ingot.web.rendering import environment

_ADDRESS = pattern(r'\b(href|src)="(/[^"#]*)(#[^"]*)?"')
ASSETS = ("app.css", "manual.css", "mark.svg")
START = "index"


def write_files(folder: Path) -> int:
    """Write the site into a folder; returns how many pages it has."""
    pages = [page for name in page_names() if (page := load_page(name)) is not None]
    _write(folder, START, None)
    for page in pages:
        _write(folder, page.name, page)
    for name in picture_names():
        _copy(FOLDER / name, folder / name)
    for name in ASSETS:
        asset = assets.load(name)
        if asset is None:
            raise LookupError(name)
        (folder / "assets").mkdir(parents=True, exist_ok=True)
        (folder / "assets" / name).write_bytes(asset.content)
    return len(pages) + 1


def _write(folder: Path, name: str, page: Page | None) -> None:
    data = {"layout": "manual_layout.html", "menu": sections(), "page": page, "root": ROOT}
    html = environment().get_template("manual.html").render(data)
    file = folder / f"{name}.html"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(_ADDRESS.sub(lambda match: f'{match[1]}="{_relative(name, match[2])}{match[3] or ""}"', html))


def _relative(name: str, address: str) -> str:
    """An address of the server as a path from one file to another."""
    path = address.removeprefix(f"{ROOT}/")
    if address.startswith("/assets/"):
        target = f"assets/{posixpath.basename(address)}"
    elif address == ROOT:
        target = f"{START}.html"
    else:
        target = path if posixpath.splitext(path)[1] else f"{path}.html"
    return posixpath.relpath(target, posixpath.dirname(name) or ".")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
