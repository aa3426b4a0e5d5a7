"""Lists more discussions than fit on a page."""

from story import alice, given, same

same(sorted(d.num for d in alice.get_repo_discussions("acme/busy")), list(range(1, given["count"] + 1)))
