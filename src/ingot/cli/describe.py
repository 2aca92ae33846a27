"""`ingot openapi` and `ingot version`."""

import json
import sys
from pathlib import Path

import typer

from ingot import __version__
from ingot.cli.options import JSON


def openapi(
    output: Path | None = typer.Option(
        None, help="Output folder for the Markdown reference pages.", show_default="JSON on standard output"
    ),
) -> None:
    """Print the API description (OpenAPI 3.1), or write it as reference pages into a folder."""
    from ingot import app as composition
    from ingot.kit.openapi import describe

    document = describe(composition.build_router(composition.load_features()["routes"]).endpoints, __version__)
    if output is None:
        sys.stdout.write(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        return
    from ingot.kit.reference import pages

    output.mkdir(parents=True, exist_ok=True)
    for old in output.glob("*.md"):
        old.unlink()
    for name, page in pages(document).items():
        (output / name).write_text(page)
    sys.stdout.write(f"{output}: {len(document['paths'])} paths described.\n")


def print_version(requested: bool) -> None:
    """`ingot --version`."""
    if requested:
        version(as_json=False)
        raise typer.Exit


def version(as_json: bool = JSON) -> None:
    """Print the version."""
    sys.stdout.write(f'{{"version": "{__version__}"}}\n' if as_json else f"ingot {__version__}\n")
