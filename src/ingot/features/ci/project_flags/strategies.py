"""Adding, changing and removing the strategies of a flag."""

from collections.abc import Sequence

from sqlalchemy import Connection, Insert, Update, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from ingot.features.ci.project_flags.params import Scope, Strategy
from ingot.features.ci.project_flags.rows import FlagRow
from ingot.features.ci.project_flags.tables import flag_scopes, flag_strategies, flag_user_lists
from ingot.features.ci.project_flags.values import USER_LIST, strategy_problem
from ingot.kit.errors import RecordNotFound, Texts

MOST = 50  # strategies of a flag, and environments of a strategy
LONGEST_SCOPE = 255


def add_strategy(tx: Connection, project_id: int, flag_id: int, options: Strategy) -> None:
    """A new strategy with its environments."""
    here = select(func.count()).where(flag_strategies.c.flag_id == flag_id)
    if tx.execute(here).scalar_one() >= MOST:
        raise Texts(400, [f"Strategies are too many (maximum is {MOST})"])
    name, parameters = options.name or "", dict(options.parameters or {})
    _check(tx, project_id, name, parameters, options.user_list_id)
    created = insert(flag_strategies).values(
        flag_id=flag_id, name=name, parameters=parameters, user_list_id=options.user_list_id
    )
    strategy_id = tx.execute(created.returning(flag_strategies.c.id)).scalar_one()
    _change_scopes(tx, strategy_id, options.scopes)


def change_strategies(tx: Connection, flag: FlagRow, strategies: Sequence[Strategy]) -> None:
    """Those without an id are added, the others changed or removed."""
    for options in strategies:
        if options.id is None:
            if not options.destroy:
                add_strategy(tx, flag.project_id, flag.id, options)
            continue
        here = (flag_strategies.c.id == options.id) & (flag_strategies.c.flag_id == flag.id)
        row = tx.execute(select(flag_strategies).where(here)).one_or_none()
        if row is None:
            raise RecordNotFound
        if options.destroy:
            tx.execute(delete(flag_strategies).where(here))
            continue
        name = row.name if options.name is None else options.name
        parameters = row.parameters if options.parameters is None else options.parameters
        list_id = options.user_list_id if "user_list_id" in options.sent else row.user_list_id
        if name != USER_LIST and "user_list_id" not in options.sent:
            list_id = None
        _check(tx, flag.project_id, name, parameters, list_id)
        values = {"name": name, "parameters": dict(parameters), "user_list_id": list_id}
        tx.execute(update(flag_strategies).where(here).values(**values))
        _change_scopes(tx, options.id, options.scopes)


def _check(tx: Connection, project_id: int, name: str, parameters: dict[str, str], list_id: int | None) -> None:
    problem = strategy_problem(name, parameters, has_list=list_id is not None)
    if problem is not None:
        raise Texts(400, [problem])
    if list_id is not None:
        here = (flag_user_lists.c.id == list_id) & (flag_user_lists.c.project_id == project_id)
        if tx.execute(select(flag_user_lists.c.id).where(here)).first() is None:
            raise Texts(400, ["Strategies user list must belong to the same project"])


def _change_scopes(tx: Connection, strategy_id: int, scopes: Sequence[Scope]) -> None:
    for options in scopes:
        if options.id is not None:
            here = (flag_scopes.c.id == options.id) & (flag_scopes.c.strategy_id == strategy_id)
            if tx.execute(select(flag_scopes.c.id).where(here)).first() is None:
                raise RecordNotFound
            if options.destroy:
                tx.execute(delete(flag_scopes).where(here))
            elif options.environment_scope is not None:
                _store(tx, update(flag_scopes).where(here).values(environment_scope=_scope(options)))
        elif not options.destroy:
            _store(tx, insert(flag_scopes).values(strategy_id=strategy_id, environment_scope=_scope(options)))
    if scopes:
        count = select(func.count()).where(flag_scopes.c.strategy_id == strategy_id)
        if tx.execute(count).scalar_one() > MOST:
            raise Texts(400, [f"Strategies scopes are too many (maximum is {MOST})"])


def _scope(options: Scope) -> str:
    text = options.environment_scope or ""
    if not text.strip():
        raise Texts(400, ["Strategies scopes environment scope can't be blank"])
    if len(text) > LONGEST_SCOPE:
        raise Texts(400, [f"Strategies scopes environment scope is too long (maximum is {LONGEST_SCOPE} characters)"])
    return text


def _store(tx: Connection, statement: Insert | Update) -> None:
    try:
        with tx.begin_nested():
            tx.execute(statement)
    except IntegrityError:
        raise Texts(400, ["Strategies scopes environment scope has already been taken"]) from None
