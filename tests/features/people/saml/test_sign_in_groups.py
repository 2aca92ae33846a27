"""Roles that a sign-in gives by the links of groups."""

from sqlalchemy import select

from ingot.access.tables import members
from tests.features.people.saml.conftest import SamlGroup
from tests.features.people.saml.organisation import add_member
from tests.features.people.saml.signing_in import MakeGroup, about, person, role
from tests.support.world import World


class TestGroupLinks:
    """What links do at sign-in."""

    def test_the_highest_role_of_the_matching_links_wins(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        below = group.org.subgroup("team")
        for group_id, name, level in (
            (group.org.id, "dev", 30), (group.org.id, "ops", 40), (group.org.id, "Dev", 50), (below, "dev", 40),
        ):  # fmt: skip
            self.link(group, group_id, name, level)
        name = world.name("kim")

        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name, "dev", "ops", "unknown"))

        created = person(world, name)
        assert role(world, group.org.id, created["id"]) == 40
        assert role(world, below, created["id"]) == 40

    def test_roles_follow_the_groups_up_and_down_and_away(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group(default_membership_role=5)
        below, untouched = group.org.subgroup("team"), group.org.subgroup("free")
        for name, level in (("dev", 30), ("boss", 40)):
            self.link(group, group.org.id, name, level)
        self.link(group, below, "boss", 50)
        name = world.name("lee")

        def sign_in(*groups: str) -> tuple[int | None, int | None]:
            with group.browser() as browser:
                assert group.sign_in(browser, name, attributes=about(name, *groups)).status_code == 303
            user_id = person(world, name)["id"]
            return role(world, group.org.id, user_id), role(world, below, user_id)

        assert sign_in("boss") == (40, 50)
        user_id = person(world, name)["id"]
        add_member(world, untouched, user_id, 50)
        assert sign_in("dev") == (30, None)
        # No groups at all: out of managed groups; the top-level group falls back to the default role.
        assert sign_in() == (5, None)
        assert role(world, untouched, user_id) == 50

    def test_rights_on_projects_follow(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        self.link(group, group.org.id, "dev", 30)
        name = world.name("max")
        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name, "dev"))
        user_id = person(world, name)["id"]
        client = world.server.client(world.token(user_id, ["api"]))
        # A developer of the group sees it, and is no owner.
        assert client.get(f"/groups/{group.org.id}/saml/identities").status_code == 403
        self.link(group, group.org.id, "boss", 50)
        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name, "boss"))
        assert client.get(f"/groups/{group.org.id}/saml/identities").status_code == 200

    def test_the_last_owner_keeps_the_role(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        self.link(group, group.org.id, "dev", 30)
        owner = group.org.owner
        self.connect(group, owner, "owner-uid")
        with group.browser() as browser:
            group.sign_in(browser, "owner-uid", attributes={"Groups": ["dev"]})
        assert role(world, group.org.id, owner.id) == 50

        add_member(world, group.org.id, group.org.stranger.id, 50)
        with group.browser() as browser:
            group.sign_in(browser, "owner-uid", attributes={"Groups": ["dev"]})
        assert role(world, group.org.id, owner.id) == 30

    def test_removing_one_of_several_links_removes_at_the_next_sign_in_and_the_last_removes_nobody(
        self, world: World, make_saml_group: MakeGroup
    ) -> None:
        group = make_saml_group()
        below, other = group.org.subgroup("team"), group.org.subgroup("other")
        self.link(group, below, "dev", 30)
        self.link(group, below, "ops", 30)
        self.link(group, other, "dev", 30)
        name = world.name("nic")
        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name, "dev"))
        user_id = person(world, name)["id"]
        client = group.org.owner.client
        client.ok("DELETE", f"/groups/{below}/saml_group_links/dev")
        client.ok("DELETE", f"/groups/{other}/saml_group_links/dev")
        assert (role(world, below, user_id), role(world, other, user_id)) == (30, 30)

        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name, "dev"))

        assert (role(world, below, user_id), role(world, other, user_id)) == (None, 30)

    def test_a_link_of_another_provider_does_not_count(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        below, other = group.org.subgroup("team"), group.org.subgroup("other")
        self.link(group, below, "dev", 30, provider="okta")
        self.link(group, other, "dev", 30, provider="group_saml")
        name = world.name("pat")
        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name, "dev"))
        user_id = person(world, name)["id"]
        assert (role(world, below, user_id), role(world, other, user_id)) == (None, 30)

    def test_custom_roles_are_given_and_break_ties(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        client = group.org.owner.client
        roles = [
            client.ok("POST", f"/groups/{group.org.id}/member_roles", json={"name": name, "base_access_level": 20})
            for name in ("one", "two")
        ]
        self.link(group, group.org.id, "a", 20, member_role_id=roles[1]["id"])
        self.link(group, group.org.id, "b", 20, member_role_id=roles[0]["id"])
        self.link(group, group.org.id, "c", 20)
        name = world.name("quin")
        with group.browser() as browser:
            group.sign_in(browser, name, attributes=about(name, "c", "b", "a"))
        with world.server.services.db.read() as conn:
            held = conn.execute(
                select(members.c.member_role_id).where(members.c.user_id == person(world, name)["id"])
            ).scalar_one()
        assert held == roles[1]["id"]

    def test_a_link_changes_nobody_before_they_sign_in(self, world: World, make_saml_group: MakeGroup) -> None:
        group = make_saml_group()
        self.link(group, group.org.id, "dev", 10)
        assert role(world, group.org.id, group.org.maintainer.id) == 40

    def test_stored_rights_agree_with_fresh_ones(self, world: World) -> None:
        from ingot.access.authorizations import differences

        with world.server.services.db.read() as conn:
            assert differences(conn) == []

    def link(self, group: SamlGroup, group_id: int, name: str, level: int, **more: object) -> None:
        body = {"saml_group_name": name, "access_level": level, **more}
        group.org.owner.client.ok("POST", f"/groups/{group_id}/saml_group_links", json=body)

    def connect(self, group: SamlGroup, known, uid: str) -> None:
        with group.browser() as browser:
            attributes = {"email": [f"{known.username}@example.com"]}
            group.post(browser, group.idp.response(uid, f"{group.saml}/callback", attributes=attributes))
            assert browser.post("/-/saml/link", data={"proof": known.token}).status_code == 303
