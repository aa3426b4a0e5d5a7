"""Reads the caller, and the overviews of users and organizations."""

from huggingface_hub.errors import HfHubHTTPError
from story import alice, reader, refused, same

MEMBERS = [("alice", "user", False), ("bob", "user", False)]

me = alice.whoami()
same((me["type"], me["name"], me["fullname"], me["email"]), ("user", "alice", "Alice", "alice@example.com"))
same([(org["name"], org["fullname"], org["roleInOrg"]) for org in me["orgs"]], [("acme", "Acme Labs", "admin")])
for who, name, role in ((alice, "laptop", "write"), (reader, "reading room", "read")):
    token = who.whoami()["auth"]["accessToken"]
    same((token["displayName"], token["role"]), (name, role))

user = reader.get_user_overview("alice")
same((user.username, user.fullname, user.is_pro, user.user_type), ("alice", "Alice", False, "user"))
same([org.name for org in user.orgs], ["acme"])
assert user.avatar_url.startswith("http://127.0.0.1:"), user.avatar_url

organization = alice.get_organization_overview("acme")
same((organization.name, organization.fullname, organization.num_users), ("acme", "Acme Labs", 2))
same((organization.is_verified, organization.plan), (False, "team"))

members = list(alice.list_organization_members("acme"))
same([(member.username, member.user_type, member.is_pro) for member in members], MEMBERS)
same([member.username for member in reader.list_organization_members("acme")], [name for name, _, _ in MEMBERS])
assert all(member.avatar_url.startswith("http://127.0.0.1:") for member in members), members

refused(lambda: list(alice.list_organization_members("zoe")), HfHubHTTPError, 404)
refused(lambda: alice.get_user_overview("zoe"), HfHubHTTPError, 404)
refused(lambda: alice.get_organization_overview("zoe"), HfHubHTTPError, 404)
