"""Asks for access to a gated repository, and lists, accepts, rejects, cancels and grants access."""

import datetime
import http.client
import tempfile
from urllib.parse import urlsplit

from huggingface_hub import snapshot_download
from huggingface_hub.errors import BadRequestError, GatedRepoError, HfHubHTTPError

from story import alice, bob, carol, given, nobody, refused, same

ID = "alice/gated-weights"
NOT_LISTED = "you are not in the authorized list"

alice.create_repo(ID)
alice.upload_file(path_or_fileobj=b"weights", path_in_repo="model.txt", repo_id=ID)
refused(lambda: list(alice.list_pending_access_requests(ID)), BadRequestError, 400)
refused(lambda: alice.grant_access(ID, "carol"), BadRequestError, 400)
alice.update_repo_settings(ID, gated="manual")


def lists() -> list[list[str]]:
    return [
        [request.username for request in every(ID)]
        for every in (
            alice.list_pending_access_requests,
            alice.list_accepted_access_requests,
            alice.list_rejected_access_requests,
        )
    ]


def download() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = carol.hf_hub_download(ID, "model.txt", cache_dir=folder)
        with open(path, "rb") as file:
            return file.read()


def ask(repo: str) -> int:
    connection = http.client.HTTPConnection(urlsplit(given["hubUrl"]).netloc)
    connection.request("POST", f"/{repo}/ask-access", headers={"authorization": f"Bearer {given['tokens']['carol']}"})
    return connection.getresponse().status


same(carol.model_info(ID).gated, "manual")
refused(download, GatedRepoError, 403, "Access to model alice/gated-weights is restricted and", NOT_LISTED)
refused(lambda: carol.auth_check(ID), GatedRepoError, 403, NOT_LISTED)
refused(lambda: nobody.auth_check(ID), GatedRepoError, 401, NOT_LISTED)
refused(lambda: list(carol.list_repo_tree(ID)), GatedRepoError, 403, NOT_LISTED)
with tempfile.TemporaryDirectory() as folder:
    refused(
        lambda: snapshot_download(ID, token=given["tokens"]["carol"], cache_dir=folder), GatedRepoError, 403, NOT_LISTED
    )

same(ask(ID), 303)
same(lists(), [["carol"], [], []])
(request,) = alice.list_pending_access_requests(ID)
same((request.username, request.status, request.fields), ("carol", "pending", None))
assert isinstance(request.timestamp, datetime.datetime)
refused(download, GatedRepoError, 403, "awaiting a review")

alice.accept_access_request(ID, "carol")
same(lists(), [[], ["carol"], []])
same(download(), b"weights")
carol.auth_check(ID)
refused(lambda: alice.accept_access_request(ID, "carol"), BadRequestError, 400)

alice.cancel_access_request(ID, "carol")
same(lists(), [["carol"], [], []])
refused(download, GatedRepoError, 403, "awaiting a review")
refused(lambda: alice.cancel_access_request(ID, "carol"), BadRequestError, 400)

alice.reject_access_request(ID, "carol", rejection_reason="This is a rejection reason")
same(lists(), [[], [], ["carol"]])
refused(download, GatedRepoError, 403, NOT_LISTED, "This is a rejection reason")
refused(
    lambda: alice.reject_access_request(ID, "carol", rejection_reason="Again"),
    BadRequestError,
    400,
)

alice.grant_access(ID, "bob")
(granted,) = alice.list_accepted_access_requests(ID)
same((granted.username, granted.email, granted.status), ("bob", None, "accepted"))
refused(lambda: alice.grant_access(ID, "bob"), BadRequestError, 400)
bob.auth_check(ID)
refused(lambda: bob.grant_access(ID, "carol"), HfHubHTTPError, 403)
refused(lambda: alice.accept_access_request(ID, "nobody-at-all"), HfHubHTTPError, 404)

alice.move_repo(ID, "alice/gated-renamed")
bob.auth_check("alice/gated-renamed")
refused(lambda: carol.auth_check("alice/gated-renamed"), GatedRepoError, 403, NOT_LISTED)
alice.update_repo_settings("alice/gated-renamed", gated=False)
carol.auth_check("alice/gated-renamed")
alice.delete_repo("alice/gated-renamed")
