import pytest

from tests.support.world import World

BASIC = ["id", "username", "public_email", "name", "state", "locked", "avatar_url", "web_url"]
PROFILE = [
    "created_at", "bio", "location", "skype", "linkedin", "twitter", "discord", "website_url",
    "organization", "job_title", "pronouns", "bot", "work_information", "followers", "following", "is_followed",
    "local_time",
]  # fmt: skip
ACCOUNT = [
    "last_sign_in_at", "confirmed_at", "last_activity_on", "email", "theme_id", "color_scheme_id", "projects_limit",
    "current_sign_in_at", "identities", "can_create_group", "can_create_project", "two_factor_enabled", "external",
    "private_profile", "commit_email", "shared_runners_minutes_limit", "extra_shared_runners_minutes_limit",
    "scim_identities",
]  # fmt: skip
ADMIN = [
    "is_admin", "note", "namespace_id", "created_by", "email_reset_offered_at", "using_license_seat", "is_auditor",
    "provisioned_by_group_id", "enterprise_group_id", "enterprise_group_associated_at",
]  # fmt: skip
DETAILS = ["highest_role", "current_sign_in_ip", "last_sign_in_ip", "sign_in_count"]


def test_the_caller_sees_their_account(world: World) -> None:
    person = world.user(bio="Smith", job_title="Founder", organization="Forge")

    reply = person.client.get("/user")

    assert reply.status_code == 200
    shown = reply.json()
    assert list(shown) == [*BASIC, *PROFILE, *ACCOUNT]
    assert (shown["username"], shown["bio"], shown["work_information"]) == (
        person.username,
        "Smith",
        "Founder at Forge",
    )


def test_administrators_see_more_of_themselves(world: World) -> None:
    shown = world.admin.ok("GET", "/user")

    assert list(shown) == [*BASIC, *PROFILE, *ACCOUNT, *ADMIN]
    assert shown["is_admin"] is True


def test_other_people_show_their_profile(world: World) -> None:
    person, other = world.user(), world.user()

    assert list(person.client.ok("GET", f"/users/{other.id}")) == [*BASIC, *PROFILE]
    assert list(world.admin.ok("GET", f"/users/{other.id}")) == [*BASIC, *PROFILE, *ACCOUNT, *ADMIN, *DETAILS]


def test_a_private_profile_hides_its_activity(world: World) -> None:
    person, other = world.user(), world.user(private_profile=True)

    shown = person.client.ok("GET", f"/users/{other.id}")

    assert not {"created_at", "followers", "following", "is_followed"} & set(shown)
    assert "followers" in other.client.ok("GET", f"/users/{other.id}")


def test_anonymous_callers_read_no_single_user(world: World) -> None:
    person = world.user()

    reply = world.anonymous.get(f"/users/{person.id}")

    assert (reply.status_code, reply.json()) == (403, {"message": "403 Forbidden - Not authorized!"})


def test_a_missing_user_is_not_found(world: World) -> None:
    reply = world.admin.get("/users/999999")

    assert (reply.status_code, reply.json()) == (404, {"message": "404 User Not Found"})


def test_a_user_name_is_no_id(world: World) -> None:
    reply = world.admin.get("/users/root")

    assert (reply.status_code, reply.json()) == (404, {"error": "404 Not Found"})


def test_anonymous_lists_need_a_user_name(world: World) -> None:
    person = world.user()

    refused = world.anonymous.get("/users")
    answer = world.anonymous.get("/users", username=person.username.upper())

    expected = {"message": "403 Forbidden - Not authorized to access /api/v4/users"}
    assert (refused.status_code, refused.json()) == (403, expected)
    assert [entry["id"] for entry in answer.json()] == [person.id]
    assert list(answer.json()[0]) == BASIC


def test_lists_are_basic_for_people_and_full_for_administrators(world: World) -> None:
    person = world.user()

    assert list(person.client.ok("GET", f"/users?username={person.username}")[0]) == BASIC
    assert list(world.admin.ok("GET", f"/users?username={person.username}")[0]) == [
        *BASIC, *PROFILE, *ACCOUNT, *ADMIN,
    ]  # fmt: skip


def test_the_list_needs_the_same_number_of_queries_for_any_page(world: World) -> None:
    for _ in range(4):
        world.user()

    one = world.admin.queries("/users", per_page=1)
    many = world.admin.queries("/users", per_page=100)

    assert one == many


@pytest.fixture(scope="module")
def crowd(world: World) -> dict[str, int]:
    created = {
        "plain": world.user("crowd-plain").id,
        "external": world.user("crowd-external", external=True).id,
        "admin": world.user("crowd-admin", admin=True).id,
        "blocked": world.user("crowd-blocked").id,
        "banned": world.user("crowd-banned").id,
        "gone": world.user("crowd-gone").id,
        "known": world.user("crowd-known", extern_uid="uid-1", provider="corp").id,
    }
    world.admin.ok("POST", f"/users/{created['blocked']}/block")
    world.admin.ok("POST", f"/users/{created['banned']}/ban")
    with world.server.services.db.write() as tx:
        tx.exec_driver_sql(f"UPDATE users SET state = 'deactivated' WHERE id = {created['gone']}")
    return created


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, {"plain", "external", "admin", "blocked", "banned", "gone", "known"}),
        ({"active": True}, {"plain", "external", "admin", "known"}),
        ({"blocked": True}, {"blocked", "banned"}),
        ({"exclude_active": True}, {"blocked", "banned", "gone"}),
        ({"external": True}, {"external"}),
        ({"exclude_external": True, "active": True}, {"plain", "admin", "known"}),
        ({"admins": True}, {"admin"}),
        ({"humans": True, "active": True}, {"plain", "external", "admin", "known"}),
        ({"exclude_humans": True}, set()),
        ({"two_factor": "enabled"}, set()),
        ({"two_factor": "disabled", "active": True}, {"plain", "external", "admin", "known"}),
        ({"extern_uid": "uid-1", "provider": "corp"}, {"known"}),
        ({"created_after": "2999-01-01"}, set()),
        ({"created_before": "2001-01-01"}, set()),
        ({"without_projects": True, "active": True}, {"plain", "external", "admin", "known"}),
        ({"search": "CROWD-PL"}, {"plain"}),
        ({"search": "crowd-known@example.com"}, {"known"}),
        ({"search": "owd-known@example.com"}, set()),
    ],
)
def test_filters_for_administrators(
    world: World, crowd: dict[str, int], filters: dict[str, object], expected: set[str]
) -> None:
    if "search" not in filters:
        filters = {"search": "crowd-", **filters}

    reply = world.admin.get("/users", per_page=100, **filters)

    assert {entry["id"] for entry in reply.json()} == {crowd[name] for name in expected}


def test_people_see_nobody_blocked_and_use_no_administrator_filter(world: World, crowd: dict[str, int]) -> None:
    person = world.user()

    everyone = person.client.get("/users", search="crowd-").json()
    filtered = person.client.get("/users", search="crowd-", admins=True, order_by="name", sort="asc").json()
    blocked = person.client.get("/users", search="crowd-", blocked=True).json()

    assert {entry["id"] for entry in everyone} == {
        crowd[name] for name in ("plain", "external", "admin", "gone", "known")
    }
    assert filtered == everyone
    assert blocked == []


def test_accounts_at_providers_are_for_administrators(world: World) -> None:
    person = world.user()

    assert person.client.get("/users", extern_uid="a", provider="b").status_code == 403
    assert world.anonymous.get("/users", extern_uid="a", provider="b").status_code == 401
    half = world.admin.get("/users", extern_uid="a")
    assert (half.status_code, half.json()) == (
        400,
        {"error": "extern_uid, provider provide all or none of parameters"},
    )


@pytest.mark.parametrize("order", ["id", "name", "username", "created_at", "updated_at"])
@pytest.mark.parametrize("sort", ["asc", "desc"])
def test_keyset_pages_follow_every_order(world: World, crowd: dict[str, int], order: str, sort: str) -> None:
    whole = world.admin.get("/users", search="crowd-", order_by=order, sort=sort).json()
    result = []
    reply = world.admin.get("/users", search="crowd-", order_by=order, sort=sort, per_page=2, pagination="keyset")
    while True:
        result += [entry["id"] for entry in reply.json()]
        assert "x-total" not in reply.headers
        if "link" not in reply.headers:
            break
        reply = world.admin.request("GET", reply.links["next"]["url"])

    assert result == [entry["id"] for entry in whole]
    assert len(result) == len(crowd)


def test_a_cursor_of_somebody_else_is_invalid(world: World) -> None:
    for cursor in ("x", "W10=", "eyJpZCI6ICJ4In0=", "eyJpZCI6IG51bGx9"):
        reply = world.admin.get("/users", pagination="keyset", cursor=cursor)
        assert (reply.status_code, reply.json()) == (400, {"error": "cursor is invalid"})


def test_offsets_end_at_fifty_thousand(world: World) -> None:
    reply = world.admin.get("/users", page=501, per_page=100)

    assert reply.status_code == 405
    assert reply.json()["error"].startswith("Offset pagination has a maximum allowed offset of 50000")


def test_search_knows_the_small_letters_of_every_language(world: World) -> None:
    person = world.user(name="ÉMILE Žižek")

    for text in ("émile", "ŽIŽEK", "e Ž"):
        assert [one["id"] for one in world.admin.get("/users", search=text).json()] == [person.id]


def test_a_percent_sign_is_no_wildcard(world: World) -> None:
    assert world.admin.get("/users", search="%").json() == []
    assert world.admin.get("/users", search="_____").json() == []


def test_a_public_address_is_shown_wherever_the_person_is(world: World) -> None:
    person, other = world.user(), world.user()
    project = world.project(person)
    issue = person.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "t"})
    assert issue["author"]["public_email"] is None

    address = person.client.ok("GET", "/user")["email"]
    world.admin.ok("PUT", f"/users/{person.id}", json={"public_email": address})

    shown = person.client.ok("GET", f"/projects/{project['id']}/issues/{issue['iid']}")
    assert shown["author"]["public_email"] == address
    assert other.client.ok("GET", f"/users?username={person.username}")[0]["public_email"] == address
