"""Runs every bench module in this folder, or those named on the command line."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import bench


def run(names: list[str]) -> None:
    known = sorted(module.name for module in pkgutil.iter_modules(bench.__path__) if not module.name.startswith("_"))
    for name in names or known:
        module = importlib.import_module(f"bench.{name}")
        if hasattr(module, "main"):
            print(f"\n== {name}", flush=True)
            module.main()


run(sys.argv[1:])
