"""Lists who follows whom, and reads the counts of profiles."""

from huggingface_hub.errors import HfHubHTTPError
from huggingface_hub.utils import get_session

from story import alice, bob, carol, refused, same


def watch(api, **change) -> None:
    answer = get_session().patch(f"{api.endpoint}/api/settings/watch", json=change, headers=api._build_hf_headers())
    same(answer.status_code, 200)


def names(users) -> list[str]:
    return sorted(user.username for user in users)


watch(carol, add=[{"type": "user", "id": "bob"}, {"type": "org", "id": "acme"}])
watch(alice, add=[{"type": "user", "id": "bob"}])
same(names(alice.list_user_followers("bob")), ["alice", "carol"])
same(names(alice.list_user_following("carol")), ["bob"])
followers = names(carol.list_organization_followers("acme"))
assert "carol" in followers and "alice" in followers, followers

profile = carol.get_user_overview("bob")
same([profile.num_followers, profile.num_following, profile.is_following], [2, 0, True])
same([profile.num_likes, profile.num_papers, profile.num_upvotes], [0, 0, 0])
same(bob.get_user_overview("carol").is_following, False)
acme = carol.get_organization_overview("acme")
same([acme.num_followers, acme.is_following, acme.num_papers], [len(followers), True, 0])

watch(carol, delete=[{"type": "user", "id": "bob"}, {"type": "org", "id": "acme"}])
same(names(alice.list_user_followers("bob")), ["alice"])
same(carol.get_organization_overview("acme").is_following, False)
watch(alice, delete=[{"type": "user", "id": "bob"}])
refused(lambda: list(carol.list_user_followers("nobody")), HfHubHTTPError, 404)
