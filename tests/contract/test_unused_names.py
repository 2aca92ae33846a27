"""Every name that a module of the product defines is used by the product. What only tests use is not kept for them.

The same holds for what the face of a room exports: another room imports it.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"

LOADED = {"ROUTES", "REGISTERED", "pages", "routes"}  # the loader reads them from the modules of a room
TABLES = {"merge_request_blocks", "resource_bots"}  # used by their place in the metadata
# Decorators that leave a function to its callers. All others hand it to a register.
PLAIN_DECORATORS = {"asynccontextmanager", "cache", "contextmanager", "lru_cache"}
EXPECTED = {
    "ingot.features.ci.runners.queue_watch.waiting_requests": "the only sight of a request that waits",
    "ingot.testing.server.running": "for other people's tests",
    "ingot.kit.jobs.tables.STATES": "the command line repeats them, to start without the database's modules",
}


class Uses:
    """Who uses which name of which module, from the syntax trees of a set of modules."""

    def __init__(self, trees: Mapping[str, ast.Module]) -> None:
        self.trees = trees
        self._read: dict[str, set[str]] = defaultdict(set)
        self._importers: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
        self._attributes: set[tuple[str, str]] = set()
        for module, tree in trees.items():
            self._add(module, tree)

    def _add(self, module: str, tree: ast.Module) -> None:
        modules: dict[str, str] = {}
        attributes = []
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                if isinstance(node.ctx, ast.Load):
                    self._read[module].add(node.id)
            elif isinstance(node, ast.Attribute):
                if isinstance(node.value, ast.Name):
                    attributes.append((node.value.id, node.attr))
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    name = alias.asname or alias.name
                    modules[name] = f"{node.module}.{alias.name}"
                    self._importers[node.module or "", alias.name].add((module, name))
            elif isinstance(node, ast.Import):
                modules |= {alias.asname: alias.name for alias in node.names if alias.asname}
        self._attributes |= {(modules[base], name) for base, name in attributes if base in modules}

    def is_used(self, module: str, name: str) -> bool:
        """Read where it is defined, read as `module.name`, or imported by a module that uses it in turn."""
        if name in self._read[module] or (module, name) in self._attributes:
            return True
        return any(self.is_used(*importer) for importer in self._importers[module, name] if importer != (module, name))

    def unused(self) -> set[str]:
        return {
            f"{module}.{name}"
            for module, tree in self.trees.items()
            if ".migrations" not in module
            for name in _definitions(tree)
            if name not in LOADED | TABLES and not name.startswith("__") and not self.is_used(module, name)
        }

    def unused_exports(self, house: str) -> set[str]:
        """Names on the face of a room (`house.<floor>.<room>`) that no module outside the room imports."""
        rooms = [
            module
            for module in self.trees
            if module.startswith(f"{house}.") and module.count(".") == house.count(".") + 2
        ]
        return {
            f"{room}.{alias.asname or alias.name}"
            for room in rooms
            for node in self.trees[room].body
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
            if not self._is_used_outside(room, alias.asname or alias.name)
        }

    def _is_used_outside(self, room: str, name: str) -> bool:
        importers = {module for module, _ in self._importers[room, name]}
        return (room, name) in self._attributes or any(not f"{module}.".startswith(f"{room}.") for module in importers)


@pytest.fixture(scope="module")
def product() -> Uses:
    return Uses({_module(path): ast.parse(path.read_text()) for path in SOURCE.rglob("*.py")})


def _module(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def _definitions(tree: ast.Module) -> Iterator[str]:
    """Names that the module defines for others to use."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            decorators = {ast.unparse(decorator).partition("(")[0].split(".")[-1] for decorator in node.decorator_list}
            if decorators <= PLAIN_DECORATORS:
                yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name))


def test_every_definition_is_used(product: Uses) -> None:
    assert product.unused() == set(EXPECTED)


def test_faces_export_what_other_rooms_use(product: Uses) -> None:
    assert product.unused_exports("ingot.features") == set()


def test_an_unused_export_is_found() -> None:
    house = {
        "house.floor.room": "from house.floor.room.shelf import used, own, forgotten",
        "house.floor.room.shelf": "from house.floor.room import own",
        "house.floor.hall.door": "from house.floor.room import used",
    }

    uses = Uses({module: ast.parse(text) for module, text in house.items()})

    assert uses.unused_exports("house") == {"house.floor.room.own", "house.floor.room.forgotten"}


def test_an_unused_name_is_found() -> None:
    house = {
        "house": "from house.room import used, handed_on",
        "house.room": "used, handed_on, called, forgotten = range(4)\n@job\ndef registered(): ...",
        "house.caller": "from house import room, used\nused()\nroom.called()",
    }

    uses = Uses({module: ast.parse(text) for module, text in house.items()})

    assert uses.unused() == {"house.room.forgotten", "house.room.handed_on"}
