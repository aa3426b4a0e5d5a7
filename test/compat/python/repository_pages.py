"""A list of repositories that is longer than a page."""

from story import bob, given, same

same(sorted(repo.id for repo in bob.list_user_repos()), sorted(given["repos"]))
