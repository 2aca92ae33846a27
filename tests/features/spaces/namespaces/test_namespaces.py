"""GET /namespaces, /namespaces/:id and /namespaces/:id/exists."""

from tests.support.world import World


def test_a_user_lists_groups_and_the_personal_namespace(world: World) -> None:
    anna, ben = world.user(), world.user()
    top = world.group(anna)
    inner = world.group(anna, parent_id=top["id"])
    world.group(ben, visibility="public")

    result = anna.client.ok("GET", "/namespaces")

    assert [(entry["kind"], entry["full_path"]) for entry in result] == [
        ("user", anna.username),
        ("group", top["full_path"]),
        ("group", inner["full_path"]),
    ]
    personal, group, subgroup = result
    assert personal["web_url"].endswith(f"/{anna.username}")
    assert group["web_url"].endswith(f"/groups/{top['full_path']}")
    assert "root_repository_size" in group
    assert "root_repository_size" not in subgroup
    assert world.anonymous.get("/namespaces").status_code == 401


def test_owners_see_counts_over_the_whole_tree(world: World) -> None:
    anna, ben, cleo = world.user(), world.user(), world.user()
    top = world.group(anna)
    inner = world.group(anna, parent_id=top["id"])
    project = world.project(anna, namespace_id=inner["id"])
    world.member(inner, ben, "guest", kind="groups")
    world.member(project, cleo, "developer")

    shown = anna.client.ok("GET", f"/namespaces/{top['id']}")

    assert (shown["members_count_with_descendants"], shown["projects_count"]) == (3, 1)
    assert "projects_count" not in ben.client.ok("GET", f"/namespaces/{inner['full_path'].replace('/', '%2F')}")


def test_the_list_is_filtered(world: World) -> None:
    anna, ben = world.user(), world.user()
    top = world.group(anna, name="Needle work")
    inner = world.group(anna, path="hay", parent_id=top["id"])
    world.member(top, ben, "developer", kind="groups")

    def paths(**filters: object) -> list[str]:
        return [entry["full_path"] for entry in ben.client.get("/namespaces", **filters).json()]

    assert paths(search="NEEDLE") == [top["full_path"]]
    assert paths(search=top["path"], full_path_search=True) == [top["full_path"], inner["full_path"]]
    assert paths(top_level_only=True) == [ben.username, top["full_path"]]
    assert paths(owned_only=True) == [ben.username]


def test_strangers_do_not_find_a_namespace(world: World) -> None:
    group, ben = world.group(world.user(), visibility="public"), world.user()

    answer = ben.client.get(f"/namespaces/{group['id']}")

    assert (answer.status_code, answer.json()) == (404, {"message": "404 Namespace Not Found"})
    assert world.admin.ok("GET", f"/namespaces/{group['id']}")["id"] == group["id"]


def test_a_taken_path_comes_with_a_suggestion(world: World) -> None:
    anna = world.user()
    top = world.group(anna, path="taken-path")
    world.group(anna, path="taken-path1")
    world.group(anna, path="inner", parent_id=top["id"])

    def exists(path: str, **more: object) -> object:
        return anna.client.get(f"/namespaces/{path}/exists", **more).json()

    assert exists("taken-path") == {"exists": True, "suggests": ["taken-path2"]}
    assert exists("nobody-has-this") == {"exists": False, "suggests": []}
    assert exists("inner") == {"exists": False, "suggests": []}
    assert exists("INNER", parent_id=top["id"]) == {"exists": True, "suggests": ["INNER1"]}


def test_the_number_of_queries_does_not_grow_with_the_page(world: World) -> None:
    for _ in range(5):
        world.group()
    world.admin.get("/namespaces")

    counts = {size: world.admin.queries("/namespaces", per_page=size) for size in (2, 20)}

    assert counts[2] <= counts[20] <= 5


def test_a_search_text_that_the_database_cannot_take_is_refused_and_never_a_fault(world: World) -> None:
    answer = world.user().client.get("/namespaces", search="a" * 60_000)

    refused = {"error": "search is too long (maximum is 1024 characters)"}
    assert (answer.status_code, answer.json()) == (400, refused)
