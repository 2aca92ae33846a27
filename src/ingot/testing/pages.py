"""`POST /-/testing/reset`, which only a server that was started with `--testing` has."""

import asyncio
import shutil
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ingot.kit.services import Services
from ingot.settings import Settings
from ingot.testing.fresh_state import FreshState

MARK = "testing"


class Unfit(Exception):
    """A test server cannot run with these settings; the text says why."""


def empty_folder(settings: Settings) -> None:
    """Empty the data folder of a test server; a folder in use is refused."""
    if not settings.is_sqlite or settings.object_store or settings.workers != 1:
        raise Unfit("--testing needs SQLite, objects in the data folder and one worker process")
    folder = settings.data_folder
    mark = folder / MARK
    if folder.is_dir() and any(folder.iterdir()) and not mark.is_file():
        raise Unfit(f"--testing empties its data folder, and {folder} is in use; --data names another")
    for entry in list(folder.iterdir()) if folder.is_dir() else []:
        _remove(entry)
    folder.mkdir(parents=True, exist_ok=True)
    mark.touch()


def _remove(entry: Path) -> None:
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry)
    else:
        entry.unlink()


def reset_pages(services: Services) -> list[Route]:
    """The route; what is there now is what every reset brings back."""
    state = FreshState(services)

    async def reset(_: Request) -> Response:
        await asyncio.to_thread(state.restore)
        return Response(status_code=204)

    return [Route("/-/testing/reset", reset, methods=["POST"])]
