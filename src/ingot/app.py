"""The composition root: builds the ASGI application from settings. The only module that knows every feature."""

import importlib
import pkgutil
import secrets
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ingot import features, operations
from ingot.access.addresses import forget_ranges, limit_by_address
from ingot.access.call import Call
from ingot.access.ssh_addresses import announce
from ingot.features.ci.engine import resolve_job_token
from ingot.features.people.user_pages import identify_browser
from ingot.features.spaces.projects import record_fetches
from ingot.gitstore.storage import Storages
from ingot.graphql.application import PATH as GRAPHQL_PATH
from ingot.graphql.application import GraphqlApplication
from ingot.identity.authentication import Authenticator
from ingot.instance import is_on_for
from ingot.instance.throttling import Throttle
from ingot.kit.actor import Actor
from ingot.kit.api import Api
from ingot.kit.api_door import ApiDoor
from ingot.kit.blobs.configured import configured_store
from ingot.kit.blobs.shared_cache import SharedCache
from ingot.kit.call import Call as BaseCall
from ingot.kit.db import Database
from ingot.kit.endpoint import Routes
from ingot.kit.hosts import BelievedHosts
from ingot.kit.jobs import serving
from ingot.kit.mail import sends_mail
from ingot.kit.observing import Named, Observing
from ingot.kit.page_faults import PageFaults
from ingot.kit.path_numbers import bound_path_numbers
from ingot.kit.pending_counts import PendingCounts
from ingot.kit.places import Places
from ingot.kit.routing import Router
from ingot.kit.safe_headers import SafeHeaders
from ingot.kit.services import Pools, Services
from ingot.kit.single_slashes import SingleSlashes
from ingot.settings import Settings
from ingot.web.application import PageApplication
from ingot.web.content import ContentDoor

PARTS = ("tables", "routes", "jobs", "listeners", "pages")


@cache
def load_features() -> dict[str, list[Any]]:
    """Import every feature's parts; the folder is the registration.

    `routes` modules hold `routes` (or several as `ROUTES`), `pages` modules a function `pages(services)` that returns
    Starlette routes for what lies outside `/api`; the others register themselves by being imported.
    """
    parts: dict[str, list[Any]] = {part: [] for part in PARTS}
    # Its tables and periodic checks register themselves like a feature's.
    importlib.import_module("ingot.doctor")
    for room in rooms():
        package = importlib.import_module(room)
        present = {file.stem for folder in package.__path__ for file in Path(folder).iterdir()}
        for part in PARTS:
            if part in present:
                parts[part].append(importlib.import_module(f"{room}.{part}"))
    return parts


def rooms() -> list[str]:
    """The packages of all features, floor by floor."""
    floors = [module.name for module in pkgutil.iter_modules(features.__path__, "ingot.features.")]
    return [
        module.name
        for floor in floors
        for module in pkgutil.iter_modules(importlib.import_module(floor).__path__, f"{floor}.")
    ]


def declared_routes(modules: list[ModuleType]) -> list[Routes]:
    """The declarations of the `routes` modules."""
    return [routes for module in modules for routes in getattr(module, "ROUTES", None) or [module.routes]]


def build_router(modules: list[ModuleType]) -> Router:
    """All endpoints."""
    router = Router()
    for routes in declared_routes(modules):
        for endpoint in routes.endpoints:
            router.add(endpoint)
    return router


def build_services(settings: Settings) -> Services:
    """Everything that calls and jobs need, without starting anything."""
    db = Database(
        settings.effective_database_url,
        settings.pool_size,
        behind_pooler=settings.database_pooler,
        read_url=settings.database_read_url,
    )
    sends_mail(db.writer, settings)
    narrow = settings.read_threads or (1 if settings.is_sqlite else 8)
    pools = Pools(
        narrow,
        settings.work_threads,
        settings.object_store_timeout,
        slow=7 if settings.is_sqlite else 4,
        writes=1 if settings.is_sqlite else None,
        statement_timeout=settings.statement_timeout,
        git_calls_per_address=settings.git_calls_per_address,
        git_call_wait=settings.git_call_wait,
    )
    transfers = Places(
        settings.git_transfers,
        settings.git_transfers_per_caller,
        settings.git_transfer_wait,
        most_per_subject=settings.transfers_per_project,
        most_per_address=settings.transfers_per_address,
    )
    blobs, secret_key = configured_store(settings), _secret_key(settings)
    return Services(
        settings=settings,
        db=db,
        pools=pools,
        transfers=transfers,
        blobs=blobs,
        shared_cache=SharedCache(blobs, secret_key),
        storages=Storages(settings.storage_roots, settings.git_timeout, settings.git_memory << 20),
        secret_key=secret_key,
        fetches=PendingCounts(partial(record_fetches, db)),
    )


def _secret_key(settings: Settings) -> str:
    if settings.secret_key:
        return settings.secret_key
    file = Path(settings.data_folder) / "secret_key"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.write_text(secrets.token_hex(32))
    return file.read_text().strip()


def build(services: Services, extra_pages: Sequence[Route] = ()) -> Starlette:
    """The ASGI application over ready services; from here on their database is the one of requests, with its limits."""
    bound_path_numbers()
    unlimited = services.db
    services.db = unlimited.limited(services.settings.statement_timeout)
    parts = load_features()
    router = build_router(parts["routes"])
    authenticate = Authenticator(services.db, resolve_job_token)
    authenticate.resolve_session = identify_browser
    services.attach(authenticate, router)
    announce(services.settings)
    services.metrics.append(serving.metrics_source(services))

    def authenticate_from_address(call: BaseCall) -> Actor:
        return limit_by_address(services, authenticate(call), call.request, call.versions.settled)

    throttle = Throttle()
    api = Api(services, router, authenticate_from_address, is_on_for, throttle, Call)
    services.memories += [
        authenticate.forget,
        partial(throttle.forget, services),
        services.known.forget,
        services.lasting.forget,
        services.rate_counts.forget,
        services.fetches.forget,
        partial(forget_ranges, services),
        api.answers.forget,
    ]
    graphql = GraphqlApplication(services, authenticate_from_address, throttle)
    pages = [_observed(page) for module in parts["pages"] for page in module.pages(services)]
    routes: list[Any] = [
        *operations.pages(services),
        *extra_pages,
        # Interfaces of other standards that lie below /api.
        *(page for page in pages if page.path.startswith("/api/")),
        # glab asks with a slash at the end.
        *(Route(path, graphql) for path in (GRAPHQL_PATH, f"{GRAPHQL_PATH}/")),
        Mount("/api", app=api),
    ]
    # Last: pages may claim whole path families (`/{namespace}/{project}.git/...`).
    routes += [page for page in pages if not page.path.startswith("/api/")]
    lifespan = serving.lifespan(services, unlimited)
    middleware = [
        Middleware(SafeHeaders),
        Middleware(SingleSlashes),
        Middleware(BelievedHosts, services.settings),
        Middleware(Observing, services.settings.slow_request),
        Middleware(PageFaults),
        Middleware(ApiDoor, api),
    ]
    created = Starlette(routes=routes, lifespan=lifespan, middleware=middleware)
    created.router.default = _otherwise(api, PageApplication(services, throttle), created.router.default)
    # The API completes its own headers and answers its own faults: most of its requests pass by the rest.
    door = ApiDoor(created.build_middleware_stack(), BelievedHosts(api, services.settings))
    created.middleware_stack = ContentDoor(door, services) if services.settings.content_url else door
    return created


def _observed(page: Route | Mount) -> Route | Mount:
    """Its requests are told of by the form of its addresses, unless it tells of them itself."""
    if not getattr(page.app, "observes_itself", False):
        page.app = Named(page.app, page.path)
    return page


def _otherwise(api: Api, pages: ASGIApp, unknown: ASGIApp) -> ASGIApp:
    """Answers what no route matches: a page; below `/api`, as for a path with a line break, an error in JSON."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await unknown(scope, receive, send)
        else:
            await (api if scope["path"].startswith("/api/") else pages)(scope, receive, send)

    return answer
