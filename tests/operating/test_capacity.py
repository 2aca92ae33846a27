"""The calculation of an installation's size, from the figures that the page of benchmarks has."""

import importlib
import pkgutil
from dataclasses import astuple, replace

import bench
from bench.capacity import Day, form, measured, needs, renewed
from tests.operating.documented_commands import ROOT


def test_the_figures_of_the_bench_are_found() -> None:
    assert all(cost > 0 for cost in astuple(measured()))


def test_needs_grow_with_people_and_with_what_they_do() -> None:
    costs, day = measured(), Day()
    small, large = needs(100, costs, day), needs(1_000_000, costs, day)

    assert all(more > less > 0 for less, more in zip(astuple(small), astuple(large), strict=True))
    assert needs(100, costs, replace(day, pushes=day.pushes * 2)).git_cores > small.git_cores
    assert needs(100, costs, replace(day, reads=day.reads * 2)).api_cores > small.api_cores
    assert needs(100, costs, replace(day, background=day.background * 2)).worker_cores > small.worker_cores
    assert needs(100, costs, replace(day, objects=day.objects * 2)).object_cores > small.object_cores
    assert form(small) == "embedded, one machine"


def test_the_page_has_what_the_program_calculates() -> None:
    page = (ROOT / "docs" / "capacity.md").read_text()

    assert renewed(page) == page, "run `python -m bench capacity`"


def test_every_bench_can_be_loaded() -> None:
    found = [module.name for module in pkgutil.iter_modules(bench.__path__) if module.name != "__main__"]

    assert all(importlib.import_module(f"bench.{name}") for name in found)
