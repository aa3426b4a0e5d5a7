"""Lists more repositories than fit on a page."""

from story import bob, given, same

same(sorted(repo.id for repo in bob.list_user_repos()), sorted(given["repos"]))
