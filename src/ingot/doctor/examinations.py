"""Every check of what is stored, by name."""

from collections.abc import Callable, Iterator

from ingot.doctor import code_index, machine, objects, queue, repositories, rights
from ingot.doctor.finding import Finding
from ingot.kit.services import Services

Examination = Callable[[Services, bool], Iterator[Finding]]

EXAMINATIONS: dict[str, Examination] = {
    "machine": machine.examine,
    "rights": rights.examine,
    "objects": objects.examine,
    "repositories": repositories.examine,
    "code index": code_index.examine,
    "jobs": queue.examine,
}


def examine(services: Services, *, repair: bool) -> Iterator[tuple[str, list[Finding]]]:
    """Run every check; each yields its findings."""
    for name, examination in EXAMINATIONS.items():
        yield name, list(examination(services, repair))
