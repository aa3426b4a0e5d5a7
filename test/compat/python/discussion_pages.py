"""More discussions than a page holds."""

from story import alice, given, same

same(sorted(d.num for d in alice.get_repo_discussions("acme/busy")), list(range(1, given["count"] + 1)))
