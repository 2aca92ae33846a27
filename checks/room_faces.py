"""A contract for the import linter: a room is entered through its face, the package's own `__init__`."""

from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class RoomFaces(Contract):
    """No module outside a room imports a module inside it. Rooms are the packages `depth` levels below `house`."""

    type_name = "room_faces"

    house: Any = fields.StringField()
    depth: Any = fields.IntegerField()

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Look at every import of the house."""
        output.verbose_print(verbose, f"Looking for imports past the faces in {self.house}")
        bypasses = [
            f"{importer} imports {imported}"
            for importer in sorted(graph.modules)
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if self._room(imported) not in (None, imported, self._room(importer))
        ]
        return ContractCheck(kept=not bypasses, metadata={"bypasses": bypasses})

    def _room(self, module: str) -> str | None:
        inside = module.removeprefix(f"{self.house}.")
        names = inside.split(".")
        if inside == module or len(names) < self.depth:
            return None
        return ".".join([str(self.house), *names[: self.depth]])

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Name each import and the cure."""
        for line in check.metadata["bypasses"]:
            output.print_error(line)
        output.print("Import from the room itself, and add the name to its __init__.py.")
