"""Discussions and pull requests, from opening to merging."""

from huggingface_hub import DiscussionComment, DiscussionStatusChange, DiscussionTitleChange
from huggingface_hub.errors import BadRequestError, HfHubHTTPError, RepositoryNotFoundError
from story import alice, bob, carol, given, refused, same

kind = given["repoType"]
REPO = {"repo_id": "acme/talk", "repo_type": kind}
alice.create_repo(**REPO, **({"space_sdk": "static"} if kind == "space" else {}))


def listed(who=alice, **filters) -> list[int]:
    return sorted(discussion.num for discussion in who.get_repo_discussions(**REPO, **filters))


same(listed(), [])
first = carol.create_discussion(**REPO, title="Licence?", description="Which *one* is it?")
path = "" if kind == "model" else f"{kind}s/"
same(first.url, f"{given['hubUrl']}/{path}acme/talk/discussions/1")
same((first.num, first.title, first.author, first.status), (1, "Licence?", "carol", "open"))
same((first.repo_id, first.repo_type, first.is_pull_request), ("acme/talk", kind, False))
same((first.conflicting_files, first.target_branch, first.merge_commit_oid), (None, None, None))
[opening] = first.events
assert isinstance(opening, DiscussionComment)
same((opening.content, opening.author, opening.edited, opening.hidden), ("Which *one* is it?", "carol", False, False))
assert "<em>one</em>" in opening.rendered, opening.rendered

comment = bob.comment_discussion(**REPO, discussion_num=1, comment="MIT?")
same((comment.type, comment.content, comment.author), ("comment", "MIT?", "bob"))
edited = bob.edit_discussion_comment(**REPO, discussion_num=1, comment_id=comment.id, new_content="Apache-2.0.")
same((edited.id, edited.content, edited.edited, edited.last_edited_by), (comment.id, "Apache-2.0.", True, "bob"))
assert edited.last_edited_at >= comment.created_at
# The client always sends the id in lower case.
same(
    alice.edit_discussion_comment(
        **REPO, discussion_num=1, comment_id=comment.id.upper(), new_content="Apache-2.0"
    ).last_edited_by,
    "alice",
)
refused(
    lambda: carol.edit_discussion_comment(**REPO, discussion_num=1, comment_id=comment.id, new_content="No"),
    HfHubHTTPError,
    403,
    "403 Forbidden: ",
)
same(alice.hide_discussion_comment(**REPO, discussion_num=1, comment_id=comment.id).hidden, True)

renamed = alice.rename_discussion(**REPO, discussion_num=1, new_title="Which licence?")
assert isinstance(renamed, DiscussionTitleChange)
same((renamed.old_title, renamed.new_title, renamed.author), ("Licence?", "Which licence?", "alice"))
closed = alice.change_discussion_status(**REPO, discussion_num=1, new_status="closed", comment="Answered.")
assert isinstance(closed, DiscussionStatusChange)
same(closed.new_status, "closed")

details = carol.get_discussion_details(**REPO, discussion_num=1)
same((details.title, details.status), ("Which licence?", "closed"))
same(
    sorted(event.type for event in details.events), ["comment", "comment", "comment", "status-change", "title-change"]
)
[hidden] = [event for event in details.events if event.id == comment.id]
same(hidden.hidden, True)
assert "Apache" not in hidden.content, hidden.content
same([event.created_at for event in details.events], sorted(event.created_at for event in details.events))
same(carol.change_discussion_status(**REPO, discussion_num=1, new_status="open").new_status, "open")

pull = bob.create_pull_request(**REPO, title="A better card")
same((pull.num, pull.is_pull_request, pull.status), (2, True, "draft"))
same((pull.git_reference, pull.target_branch, pull.merge_commit_oid), ("refs/pr/2", "refs/heads/main", None))
same(pull.conflicting_files, [])
refused(lambda: alice.merge_pull_request(**REPO, discussion_num=2), HfHubHTTPError, 409)
same(bob.change_discussion_status(**REPO, discussion_num=2, new_status="open").new_status, "open")
refused(lambda: carol.merge_pull_request(**REPO, discussion_num=2), HfHubHTTPError, 403)
alice.merge_pull_request(**REPO, discussion_num=2, comment="Thanks!")
merged = alice.get_discussion_details(**REPO, discussion_num=2)
same(merged.status, "merged")
same(merged.merge_commit_oid, alice.repo_info(**REPO).sha)
assert "Thanks!" in [event.content for event in merged.events if isinstance(event, DiscussionComment)]

bob.create_pull_request(**REPO, title="Another one")
alice.change_discussion_status(**REPO, discussion_num=1, new_status="closed")
same(listed(), [1, 2, 3])
same(listed(discussion_type="all", discussion_status="all"), [1, 2, 3])
same(listed(discussion_type="discussion"), [1])
same(listed(discussion_type="pull_request"), [2, 3])
same(listed(discussion_status="open"), [3])
same(listed(discussion_status="closed"), [1, 2])
same(listed(author="carol"), [1])
same(listed(author="bob", discussion_type="pull_request", discussion_status="closed"), [2])
same(listed(author="alice"), [])
[found] = [discussion for discussion in carol.get_repo_discussions(**REPO) if discussion.num == 2]
same((found.title, found.author, found.status, found.repo_id), ("A better card", "bob", "merged", "acme/talk"))
same((found.repo_type, found.created_at), (kind, pull.created_at))

refused(lambda: alice.create_discussion(**REPO, title="ab"), BadRequestError, 400, "body.title")
refused(lambda: alice.get_discussion_details(**REPO, discussion_num=99), HfHubHTTPError, 404)
alice.update_repo_settings(**REPO, private=True)
refused(lambda: carol.get_discussion_details(**REPO, discussion_num=1), RepositoryNotFoundError, 404)
refused(lambda: listed(who=carol), RepositoryNotFoundError, 404)

alice.delete_repo(**REPO)
