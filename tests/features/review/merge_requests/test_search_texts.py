"""Searching: short words, wildcards, quotes and letters of all languages give the same on every database."""

import pytest
from sqlalchemy import text

from tests.support.server import RunningServer
from tests.support.world import World

TITLES = (
    "Größe ÄNDERN",
    "grösse aendern",
    "100% of_it",
    "100 of it",
    "Ελληνικά ΓΡΑΜΜΑΤΑ",
    "Привет МИР",
    "日本語のタイトル",
    "Ab",
    "back\\slash and 'quote'",
    "CAFÉ au lait",
)
WORDS = (
    "größe",
    "GRÖSSE",
    "Ändern",
    "ä",
    "é",
    "ab",
    "100%",
    "f_i",
    "%",
    "_",
    "γράμματα",
    "γραμματα",
    "мир",
    "ПРИВЕТ",
    "日本",
    "タイトル",
    "\\",
    "'quote'",
    "café",
    "cafe",
    "lait au",
    '"au lait"',
    "zz",
)


def expected(words: str) -> set[str]:
    terms = [words.strip('"')] if words.startswith('"') else words.split()
    return {title for title in TITLES if all(term.lower() in title.lower() for term in terms)}


@pytest.fixture(scope="module")
def place(world: World) -> str:
    project = world.project(None, initialize_with_readme=True)
    created = f"/projects/{project['id']}"
    client = world.admin
    for number, title in enumerate(TITLES):
        client.ok("POST", f"{created}/issues", json={"title": title})
        client.ok("POST", f"{created}/milestones", json={"title": title})
        client.ok("POST", f"{created}/labels", json={"name": title, "color": "#112233"})
        world.commit(project, f"b{number}", {"a.txt": title}, message=title, user_id=1)
        body = {"title": title, "source_branch": f"b{number}", "target_branch": "main"}
        client.ok("POST", f"{created}/merge_requests", json=body)
    return created


@pytest.mark.parametrize("kind", ["merge_requests", "issues", "milestones", "labels"])
def test_words_are_found_without_regard_to_case(world: World, place: str, kind: str) -> None:
    shown_as = "name" if kind == "labels" else "title"
    wrong = {}
    for words in WORDS:
        if kind in ("milestones", "labels") and (" " in words or '"' in words):
            continue  # they look for the text as it is
        result = world.admin.ok("GET", f"{place}/{kind}", params={"search": words, "per_page": 50})
        if {row[shown_as] for row in result} != expected(words):
            wrong[words] = sorted(row[shown_as] for row in result)
    assert wrong == {}


def test_projects_and_groups_are_found_the_same_way(world: World) -> None:
    client = world.admin
    for number, title in enumerate(TITLES):
        name = title.replace("\\", " ").replace("'", " ").replace("%", " ")
        client.ok("POST", "/projects", json={"name": name, "path": f"p-{number}"})
        client.ok("POST", "/groups", json={"name": name, "path": f"g-{number}"})
    for words in ("größe", "ÄNDERN", "МИР", "γραμματα", "Café", "日本", "f_i"):
        for kind in ("projects", "groups"):
            result = client.ok("GET", f"/{kind}", params={"search": words})
            assert len(result) == 1, (kind, words, [row["name"] for row in result])


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("column", "index"),
    [
        ("lower(title)", "ix_merge_requests_title_trgm"),
        ("lower(description)", "ix_merge_requests_description_trgm"),
        ("search_text", "ix_projects_search_text_trgm"),
        ("full_path_lower", "ix_projects_full_path_trgm"),
    ],
)
def test_postgresql_looks_the_words_up_in_the_trigram_index(server: RunningServer, column: str, index: str) -> None:
    table = "projects" if "projects" in index else "merge_requests"
    with server.services.db.read() as conn:
        if not conn.execute(text("SELECT count(*) FROM pg_extension WHERE extname = 'pg_trgm'")).scalar_one():
            pytest.skip("this server lacks the extension pg_trgm")
        conn.execute(text("SET enable_seqscan = off"))
        conn.execute(text("SET enable_indexscan = off"))
        looked = f"SELECT id FROM {table} WHERE {column} LIKE '%' || :word || '%'"
        plan = "\n".join(conn.execute(text(f"EXPLAIN {looked}"), {"word": "größe"}).scalars())
        conn.execute(text("RESET ALL"))
    assert f"Bitmap Index Scan on {index}" in plan, plan
