"""Makes a change of each kind that the client can make, in a possible order."""

from huggingface_hub import DiscussionEvent
from huggingface_hub.utils import get_session
from story import alice, bob, given, same

alice.create_webhook(
    url=given["url"], secret=given["secret"], watched=[{"type": "org", "name": "acme"}, {"type": "user", "name": "alice"}]
)

REPO = {"repo_id": "acme/lander", "repo_type": "space"}
alice.create_repo(**REPO, space_sdk="static")
alice.create_branch(**REPO, branch="descent")
alice.create_tag(**REPO, tag="v1.0", revision="descent")
alice.delete_branch(**REPO, branch="descent")
alice.update_repo_settings(**REPO, private=True)
bob.create_discussion(**REPO, title="Where do we land?", description="Any preference?")
answer = alice.comment_discussion(**REPO, discussion_num=1, comment="Mare Tranquilitatis")
alice.edit_discussion_comment(
    **REPO, discussion_num=1, comment_id=answer.id, new_content="Mare Tranquillitatis"
)
alice.hide_discussion_comment(**REPO, discussion_num=1, comment_id=answer.id)
bob.rename_discussion(**REPO, discussion_num=1, new_title="Where to land")
bob.change_discussion_status(**REPO, discussion_num=1, new_status="closed")
bob.create_pull_request(**REPO, title="A softer landing")
bob.change_discussion_status(**REPO, discussion_num=2, new_status="open")
alice.merge_pull_request(**REPO, discussion_num=2)
# The client has no functions for these two changes.
one = f"{given['hubUrl']}/api/spaces/acme/lander/discussions/1"
headers = {"authorization": f"Bearer {given['tokens']['alice']}"}
get_session().post(f"{one}/pin", headers=headers, json={"pinned": True}).raise_for_status()
pinned = alice.get_discussion_details(**REPO, discussion_num=1).events[-1]
same((type(pinned), pinned.type), (DiscussionEvent, "pinning-change"))
get_session().delete(one, headers=headers).raise_for_status()
alice.move_repo("acme/lander", "alice/lander", repo_type="space")
alice.delete_repo("alice/lander", repo_type="space")
