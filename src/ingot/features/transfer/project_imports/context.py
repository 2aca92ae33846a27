"""State shared by builders while a tree is stored: the project, the users, and failures."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, Table, insert, update
from sqlalchemy.exc import SQLAlchemyError

from ingot.archives.lines import Pieces
from ingot.features.transfer.project_exports import REST_KEY, STORED, archive_leftovers, name_of
from ingot.features.transfer.project_imports.batching import Batch, NeedsCare
from ingot.features.transfer.project_imports.tables import project_import_failures
from ingot.features.transfer.project_imports.values import USER_KEYS, BadRecord, Record, is_ignored, leftover
from ingot.gitstore import Repository
from ingot.kit.clock import now
from ingot.kit.counters import next_value, raise_to
from ingot.kit.jobs.errors import is_transient
from ingot.kit.services import Services

INVALID = "ActiveRecord::RecordInvalid"
NOT_UNIQUE = "ActiveRecord::RecordNotUnique"
LARGEST_LEFTOVER = 8 << 20
UNEXPECTED = (TypeError, ValueError, KeyError, AttributeError, OverflowError)


class People(msgspec.Struct):
    """Maps user ids of the source to ours; unknown users become the importer."""

    importer_id: int
    known: dict[int, int] = msgspec.field(default_factory=dict)
    own: bool = False  # the archive was written by this instance, and is unchanged
    takes_members: bool = False  # members and invitations of the archive are imported
    overrules: bool = False  # also where a group has locked the memberships of its projects

    def known_or_none(self, source_id: object) -> int | None:
        """Our id of a known user, else None."""
        return self.known.get(source_id) if isinstance(source_id, int) else None

    def is_known(self, source_id: object) -> bool:
        """The source id is mapped to a user here."""
        return isinstance(source_id, int) and source_id in self.known

    def of(self, source_id: object) -> int | None:
        """Our id; None stays None."""
        if not isinstance(source_id, int):
            return None
        return self.known.get(source_id, self.importer_id)


class ImportContext(msgspec.Struct):
    """One import in progress."""

    services: Services
    project: Any
    repository: Repository
    correlation_id: str
    people: People
    started: datetime = msgspec.field(default_factory=now)
    relation: str = ""
    line: int = 0
    failures: int = 0
    existing_iids: set[int] = msgspec.field(default_factory=set)  # a relation import skips these
    skips_existing: bool = False
    batch: Batch | None = None  # where rows wait; None stores each at once
    labels: dict[str, int] = msgspec.field(default_factory=dict)  # ids by title
    milestones: dict[str, int] = msgspec.field(default_factory=dict)
    trusts_levels: bool = False  # access levels of the archive are trusted
    last_position: int = 0  # of the issues so far
    build_timeout: int | None = None  # default timeout of jobs, once loaded
    # kinds with records that came without `iid`, once known
    unnumbered: dict[str, bool] = msgspec.field(default_factory=dict)
    commit_threads: set[str] | None = None  # discussions on commits whose first note has come; None: look

    @property
    def owner(self) -> str:
        """Whose counters are used."""
        return f"project:{self.project.id}"

    def add(self, tx: Connection, table: Table, values: Mapping[str, object]) -> None:
        """Store a row whose id is not needed."""
        if self.batch is None:
            tx.execute(insert(table), values)
        else:
            self.batch.add(tx, table, values)

    def change(self, tx: Connection, table: Table, row_id: int, values: Mapping[str, object]) -> None:
        """Change a row that was stored before."""
        if self.batch is None:
            tx.execute(update(table).where(table.c.id == row_id).values(values))
        else:
            self.batch.change(table, row_id, values)

    def number(self, tx: Connection, kind: str, archived_iid: int | None) -> int:
        """The number that the archive gave, or the next one."""
        if archived_iid is None:
            if self.batch is not None:
                self.batch.write_numbers(tx, self.owner)
            return next_value(tx, self.owner, kind)
        if self.batch is None:
            raise_to(tx, self.owner, kind, archived_iid)
        else:
            self.batch.raise_to(kind, archived_iid)
        return archived_iid

    def forget(self) -> None:
        """Clear the caches of rolled-back rows."""
        self.batch = None
        self.labels.clear()
        self.milestones.clear()
        self.unnumbered.clear()
        self.commit_threads = None

    @contextmanager
    def sparing(self, tx: Connection, source: str) -> Iterator[None]:
        """Run work that may fail: it is rolled back, and a failure is recorded."""
        if self.batch is not None:
            try:
                yield
            except (BadRecord, SQLAlchemyError, *UNEXPECTED) as problem:
                if is_transient(problem):
                    raise
                raise NeedsCare from problem
            return
        try:
            with tx.begin_nested():
                yield
        except BadRecord as problem:
            self.fail(tx, source, INVALID, str(problem))
        except SQLAlchemyError as problem:
            if is_transient(problem):  # a full disk or a lost database is not the record's fault
                raise
            unique = "unique" in str(problem.__cause__ or problem).lower()
            words = "has already been taken" if unique else "could not be stored"
            self.fail(tx, source, NOT_UNIQUE if unique else INVALID, f"The record {words}")
        except UNEXPECTED as problem:
            self.fail(tx, source, type(problem).__name__, "The record has an unexpected form")

    def fail(self, tx: Connection, source: str, kind: str, words: str) -> None:
        """Record a failure."""
        self.failures += 1
        self.forget()
        tx.execute(
            insert(project_import_failures).values(
                project_id=self.project.id,
                correlation_id=self.correlation_id,
                exception_class=kind[:128],
                exception_message=clean(words)[:255],
                source=source,
                relation_name=self.relation,
                line_number=self.line,
                created_at=now(),
            )
        )

    def keep_rest(
        self,
        tx: Connection,
        relation: str,
        owner_id: int | None,
        record: Record,
        modelled: frozenset[str],
        children: Mapping[str, object] | None = None,
    ) -> None:
        """Preserve the unmodelled attributes of a record and its children, with mapped users."""
        rest = leftover(record, modelled | {REST_KEY})
        if children:
            rest[REST_KEY] = children
        if rest:
            self.keep(tx, relation, owner_id, self.translated(rest))

    def rest_of(self, kind: str, children: Iterable[Record]) -> dict[str, Any]:
        """The unmodelled attributes of children of one kind, in the form of `children=` of `keep_rest`."""
        result = {}
        for index, child in enumerate(children):
            rest = {key: value for key, value in leftover(child, STORED[kind]).items() if value is not False}
            if rest:
                mine = {**child, "user_id": self.people.of(child.get("user_id"))}
                result[name_of(kind, mine, index)] = rest
        return {kind: result} if result else {}

    def keep(self, tx: Connection, relation: str, owner_id: int | None, data: object) -> None:
        """Preserve something that is not modelled, unless it is too large to be stored at once."""
        if size_of(data) > LARGEST_LEFTOVER:
            if self.batch is not None:
                raise NeedsCare
            self.fail(tx, relation, INVALID, "Attributes without a place here are larger than 8 MB and were left out")
            return
        values = {"project_id": self.project.id, "relation": relation, "owner_id": owner_id, "data": data}
        self.add(tx, archive_leftovers, values)

    def translated(self, value: object) -> Any:
        """The same data with user ids of this instance."""
        if isinstance(value, dict):
            return {
                key: self.people.of(inner) if key in USER_KEYS else self.translated(inner)
                for key, inner in value.items()
                if not is_ignored(key)
            }
        if isinstance(value, list | Pieces):
            return [self.translated(inner) for inner in value]
        return value.replace("\x00", "") if isinstance(value, str) else value


def size_of(value: object) -> int:
    """About how many characters it has as JSON."""
    if isinstance(value, dict):
        return sum(len(key) + size_of(inner) for key, inner in value.items())
    if isinstance(value, list):
        return sum(map(size_of, value))
    return len(value) if isinstance(value, str) else 4


def clean(words: str) -> str:
    """Remove paths and credentials from shown messages."""
    return " ".join("[FILTERED]" if "/" in word else word for word in words.split())
