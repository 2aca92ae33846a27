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
