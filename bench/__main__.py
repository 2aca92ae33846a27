"""Runs every bench module in this folder, or those named on the command line."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys

import bench
from bench import capacity


def run(names: list[str]) -> None:
    known = sorted(module.name for module in pkgutil.iter_modules(bench.__path__) if not module.name.startswith("_"))
    for name in names or known:
        module = importlib.import_module(f"bench.{name}")
        if hasattr(module, "main") and module is not capacity:
            print(f"\n== {name}", flush=True)
            module.main()
    # Whatever was measured, the page of capacity is calculated from it.
    if not os.environ.get("INGOT_BENCH_PRINT_ONLY"):
        print("\n== capacity", flush=True)
        capacity.main()


run(sys.argv[1:])
