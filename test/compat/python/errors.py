"""Checks the error classes of the client and their messages."""

from huggingface_hub import CommitOperationAdd, HfApi
from huggingface_hub.errors import (
    BadRequestError,
    BucketNotFoundError,
    HfHubHTTPError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.utils import get_session, hf_raise_for_status
from story import alice, carol, given, nobody, refused, same

stranger = HfApi(token="hf_ofNobodyAtAll00")
alice.create_repo("acme/errors")

missing = refused(lambda: alice.model_info("acme/nothing"), RepositoryNotFoundError, 404, "Repository Not Found for url")
same((missing.repo_id, missing.repo_type), ("acme/nothing", "model"))
refused(lambda: alice.create_branch("acme/nothing", branch="x"), RepositoryNotFoundError, 404)
refused(lambda: alice.create_discussion("acme/nothing", title="Hello"), RepositoryNotFoundError, 404)
refused(lambda: alice.model_info("acme/errors", revision="nowhere"), RevisionNotFoundError, 404, "Revision Not Found")
refused(lambda: alice.delete_bucket("acme/nothing"), BucketNotFoundError, 404)

# A name without a namespace names no repository, and without a token nobody learns which there are.
refused(lambda: alice.model_info("nothing"), RepositoryNotFoundError, 404)
same([alice.revision_exists("nothing", "main"), alice.file_exists("nothing", "x")], [False, False])
alice.create_repo("acme/errors-hidden", private=True)
for repo in ("acme/errors-hidden", "acme/nothing"):
    refused(lambda: nobody.model_info(repo), RepositoryNotFoundError, 401, "Invalid username or password.")
    same([nobody.repo_exists(repo), nobody.file_exists(repo, "x")], [False, False])
alice.delete_repo("acme/errors-hidden")

alice.create_branch("acme/errors", branch="cool")
again = lambda: alice.create_branch("acme/errors", branch="cool")
refused(again, HfHubHTTPError, 409, "Reference refs/heads/cool already exists")
refused(lambda: alice.delete_branch("acme/errors", branch="main"), BadRequestError, 400, "Cannot delete refs/heads/main")
alice.create_repo("acme/taken")
onto_another = lambda: alice.move_repo("acme/errors", "acme/taken")
refused(onto_another, HfHubHTTPError, 409, "A model repository called acme/taken already exists")
alice.delete_repo("acme/taken")
root = alice.model_info("acme/errors").sha
alice.create_commit("acme/errors", [CommitOperationAdd("x.txt", b"x")], commit_message="X")
late = lambda: alice.create_commit(
    "acme/errors", [CommitOperationAdd("y.txt", b"y")], commit_message="Y", parent_commit=root
)
refused(late, HfHubHTTPError, 412, "The branch was updated since you opened this page. Please refresh and try again.")

bad = refused(lambda: alice.create_webhook(url="http://127.0.0.1:9/", watched=[]), BadRequestError, 400, "Bad request")
assert "body.watched" in bad.server_message, bad.server_message
# The header and the body contain the same message, which appears once.
same(str(bad).count(bad.server_message), 1)

forbidden = refused(lambda: carol.create_branch("acme/errors", branch="x"), HfHubHTTPError, 403, "403 Forbidden: ")
assert f"403 Forbidden: {forbidden.server_message}." in str(forbidden), str(forbidden)
assert "403 Forbidden: None" not in str(forbidden)

refused(stranger.whoami, HfHubHTTPError, 401, "Invalid user token.")
refused(stranger.list_webhooks, HfHubHTTPError, 401)
refused(nobody.list_webhooks, HfHubHTTPError, 401)
unknown = refused(lambda: stranger.create_branch("acme/errors", branch="x"), HfHubHTTPError, 401)
assert unknown.server_message, str(unknown)

# Every error has an id, which is also in the log of the hub.
assert bad.request_id and f"Request ID: {bad.request_id}" in str(bad), str(bad)
trace = bad.response.request.headers["X-Amzn-Trace-Id"]
assert trace in bad.request_id, (trace, bad.request_id)
whoami = f"{given['hubUrl']}/api/whoami-v2"
headers = {"authorization": f"Bearer {given['tokens']['alice']}", "x-request-id": "custom-id"}
same(get_session().get(whoami, headers=headers).headers["x-request-id"], "custom-id")
answer = get_session().get(whoami, headers={"x-request-id": "custom-id"})
error = refused(lambda: hf_raise_for_status(answer), HfHubHTTPError, 401, "(Request ID: custom-id)")
same(error.request_id, "custom-id")

alice.delete_repo("acme/errors")
