"""Creates, lists and deletes branches and tags."""

from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError, RevisionNotFoundError
from story import alice, carol, refused, same

REPO = "acme/refs"
alice.create_repo(REPO)
main = alice.model_info(REPO).sha


def branches() -> dict[str, str]:
    return {branch.name: branch.target_commit for branch in carol.list_repo_refs(REPO).branches}


alice.create_branch(REPO, branch="dev")
# The client percent-encodes a slash in the path.
alice.create_branch(REPO, branch="feature/one", revision="dev")
alice.create_branch(REPO, branch="from-commit", revision=main)
same(branches(), {"main": main, "dev": main, "feature/one": main, "from-commit": main})
same([branch.ref for branch in carol.list_repo_refs(REPO).branches if branch.name == "dev"], ["refs/heads/dev"])
refused(lambda: alice.create_branch(REPO, branch="dev"), HfHubHTTPError, 409)
alice.create_branch(REPO, branch="dev", exist_ok=True)
refused(lambda: alice.create_branch(REPO, branch="x", revision="nowhere"), RevisionNotFoundError, 404)
refused(lambda: carol.create_branch(REPO, branch="x"), HfHubHTTPError, 403, "403 Forbidden: ")
alice.delete_branch(REPO, branch="feature/one")
alice.delete_branch(REPO, branch="from-commit")
same(branches(), {"main": main, "dev": main})

alice.create_tag(REPO, tag="v1.0", tag_message="The first")
alice.create_tag(REPO, tag="v1.0-dev", revision="dev")
refused(lambda: alice.create_tag(REPO, tag="v1.0"), HfHubHTTPError, 409)
alice.create_tag(REPO, tag="v1.0", exist_ok=True)
refused(lambda: alice.create_tag(REPO, tag="v2", revision="nowhere"), RevisionNotFoundError, 404)
refs = carol.list_repo_refs(REPO)
same(
    {tag.name: (tag.ref, tag.target_commit) for tag in refs.tags},
    {"v1.0": ("refs/tags/v1.0", main), "v1.0-dev": ("refs/tags/v1.0-dev", main)},
)
same((refs.converts, refs.pull_requests), ([], None))
same(carol.model_info(REPO, revision="v1.0").sha, main)
alice.delete_tag(REPO, tag="v1.0")
refused(lambda: alice.delete_tag(REPO, tag="v1.0"), RevisionNotFoundError, 404)
same([tag.name for tag in carol.list_repo_refs(REPO).tags], ["v1.0-dev"])

alice.create_pull_request(REPO, title="Through a pull request")
pulls = carol.list_repo_refs(REPO, include_pull_requests=True).pull_requests
same([pull.ref for pull in pulls], ["refs/pr/1"])
assert carol.revision_exists(REPO, "refs/pr/1")

refused(lambda: carol.list_repo_refs("acme/nothing"), RepositoryNotFoundError, 404)

alice.delete_repo(REPO)
