"""Setting a flag: parsing the request, finding its actors, storing the gates."""

from sqlalchemy import Connection, insert, select, update

from ingot.access.call import Call
from ingot.access.tables import namespaces, projects
from ingot.features.instance.feature_flags.params import SetFlag
from ingot.features.instance.feature_flags.rows import FlagRow, Gates
from ingot.identity.tables import users
from ingot.instance import FLAGS
from ingot.instance.tables import feature_flags_table as flags
from ingot.kit.clock import now
from ingot.kit.db import take_turn
from ingot.kit.errors import BadRequest


def set_flag(call: Call, name: str, options: SetFlag) -> FlagRow:
    """Store the request; returns the row."""
    if name not in FLAGS and not options.force:
        raise BadRequest(
            f"Feature flag '{name}' does not exist. Use `force=true` to set a flag that the code does not know"
        )
    if len(name) > 255:
        raise BadRequest("name is too long (maximum is 255 characters)")
    with call.write() as tx:
        take_turn(tx, f"feature flag:{name}")
        row = tx.execute(select(flags).where(flags.c.name == name)).one_or_none()
        enabled, gates = (row.enabled, dict(row.gates)) if row is not None else (False, {})
        enabled, gates = _opened(tx, options, enabled=enabled, gates=gates)
        values = {"gates": gates, "enabled": enabled, "updated_at": now()}
        if row is None:
            tx.execute(insert(flags).values(name=name, **values))
        else:
            tx.execute(update(flags).where(flags.c.name == name).values(**values))
        return tx.execute(select(flags).where(flags.c.name == name)).one()


def _opened(tx: Connection, options: SetFlag, *, enabled: bool, gates: Gates) -> tuple[bool, Gates]:
    actors = _actors(tx, options)
    text = options.value.strip().lower()
    if text not in ("true", "false"):
        return enabled, {**gates, options.key or "percentage_of_time": _percentage(text)}
    if options.feature_group is not None:
        groups = _names(gates, "groups") ^ {options.feature_group}
        enabled_groups = groups | {options.feature_group} if text == "true" else groups - {options.feature_group}
        return enabled, {**gates, "groups": sorted(enabled_groups)}
    if actors:
        current_actors = _names(gates, "actors")
        return enabled, {
            **gates,
            "actors": sorted(current_actors | actors if text == "true" else current_actors - actors),
        }
    # For everybody: switching it off also removes single actors.
    return text == "true", ({} if text == "false" else gates)


def _names(gates: Gates, gate: str) -> set[str]:
    value = gates.get(gate)
    return set(value) if isinstance(value, list) else set()


def _percentage(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:4]) <= 100):
        raise BadRequest("value must be true, false, or a number between 0 and 100")
    return int(text)


def _actors(tx: Connection, options: SetFlag) -> set[str]:
    result: set[str] = set()
    for kind, table, column, names in (
        ("User", users, users.c.username_lower, options.user),
        ("Group", namespaces, namespaces.c.full_path_lower, options.group),
        ("Namespace", namespaces, namespaces.c.full_path_lower, options.namespace),
        ("Project", projects, projects.c.full_path_lower, options.project),
        ("Repository", projects, projects.c.full_path_lower, options.repository),
    ):
        for name in (part.strip() for part in (names or "").split(",") if part.strip()):
            record = tx.execute(select(table.c.id).where(column == name.lower())).scalar_one_or_none()
            if record is None:
                raise BadRequest(f"{name} is not found!")
            result.add(f"{kind}:{record}")
    return result
