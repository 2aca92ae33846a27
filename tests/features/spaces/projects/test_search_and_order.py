"""What is searched, and the order of what resembles nothing."""

from tests.support.world import World


def test_names_of_the_groups_around_are_searched_with_namespaces(world: World) -> None:
    owner = world.user()
    stem = world.name("garden")
    garden = world.group(owner, name=f"Walled {stem.upper()}", path=world.name("wg"))
    bed = world.group(owner, name="Bed", path=world.name("bed"), parent_id=garden["id"])
    rose, stone = (world.project(owner, namespace_id=place["id"]) for place in (bed, garden))

    def ids_of(search: str, **more: object) -> set[int]:
        return {one["id"] for one in owner.client.ok("GET", "/projects", params={"search": search, **more})}

    assert ids_of(f"walled {stem}", search_namespaces=True) == {rose["id"], stone["id"]}
    assert ids_of(f"walled {stem} {rose['path']}", search_namespaces=True) == {rose["id"]}
    assert ids_of(f"Walled {stem}") == set()


def test_similarity_to_nothing_is_the_order_of_names(world: World) -> None:
    owner = world.user()
    group = world.group(owner)
    for name in ("Beech", "ash", "Cedar"):
        world.project(owner, name=name, path=name.lower(), namespace_id=group["id"])

    for path, more in ((f"/groups/{group['id']}/projects", {}), ("/projects", {"owned": True})):
        listed = owner.client.ok("GET", path, params={"order_by": "similarity", **more})
        assert [one["name"] for one in listed] == ["ash", "Beech", "Cedar"]


def test_two_letters_are_found_wherever_they_stand(world: World) -> None:
    """Inside a word and at its end, before letters of other alphabets, in the path alone, beside another word."""
    owner = world.user()
    texts = {
        "within": "reqzvest of iron", "last": "ironqzv", "before a mark": "a qzv, then", "umlaut": "großqzvä",
        "other letters": "qzvжи", "none": "q zv", "beside another": "qzv and anvil",
    }  # fmt: skip
    projects = {
        kind: owner.client.ok("POST", "/projects", json={"name": f"Pair {number}", "description": text})["id"]
        for number, (kind, text) in enumerate(texts.items())
    }
    group = world.group(owner, path="wxj")
    inside = owner.client.ok("POST", "/projects", json={"name": "Elsewhere", "namespace_id": group["id"]})["id"]

    def ids_of(search: str, **more: object) -> set[int]:
        return {one["id"] for one in owner.client.ok("GET", "/projects", params={"search": search, **more})}

    all_but_none = {number for kind, number in projects.items() if kind != "none"}
    assert ids_of("qz") == all_but_none
    assert ids_of("ZV") == set(projects.values())
    assert ids_of("qz anvil") == {projects["beside another"]}
    assert ids_of("qz ro") == {projects[kind] for kind in ("within", "last", "umlaut")}
    assert ids_of("vж") == {projects["other letters"]}
    assert ids_of("wx") == set()
    assert ids_of("xj", search_namespaces=True) == {inside}
    assert ids_of("xj qz", search_namespaces=True) == set()
