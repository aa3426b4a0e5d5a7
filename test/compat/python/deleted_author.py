"""Reads a discussion whose author was deleted."""

from story import alice, given, same

[listed] = alice.get_repo_discussions(given["repo"])
details = alice.get_discussion_details(given["repo"], 1)
same((listed.author, details.author), ("deleted", "deleted"))
same([(event.content, event.author, event.last_edited_by) for event in details.events], [("So long", "deleted", "deleted")])
