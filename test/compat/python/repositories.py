"""Creates, finds and deletes repositories of each type."""

from datetime import timezone

from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError
from story import alice, bob, carol, given, nobody, reader, refused, same

PATHS = {"model": "", "dataset": "datasets/", "space": "spaces/"}

for kind, path in PATHS.items():
    options = {"repo_type": kind, **({"space_sdk": "gradio"} if kind == "space" else {})}
    url = alice.create_repo("acme/thing", **options)
    same(url, f"{given['hubUrl']}/{path}acme/thing")
    same((url.endpoint, url.repo_type, url.repo_id), (given["hubUrl"], kind, "acme/thing"))
    # A second creation is a conflict with the URL of the repository, which `exist_ok` reads.
    refused(lambda: alice.create_repo("acme/thing", **options), HfHubHTTPError, 409)
    same(alice.create_repo("acme/thing", exist_ok=True, **options), url)

    assert carol.repo_exists("acme/thing", repo_type=kind)
    info = carol.repo_info("acme/thing", repo_type=kind)
    same((info.id, info.author, info.private), ("acme/thing", "acme", False))
    same(len(info.sha), 40)
    same(info.created_at.tzinfo, timezone.utc)
    assert info.created_at <= info.last_modified
    first_files = [".gitattributes", *(["README.md"] if kind == "space" else [])]
    same([file.rfilename for file in info.siblings], first_files)
    same(carol.repo_info("acme/thing", repo_type=kind, expand=["likes"]).id, "acme/thing")
    same(carol.repo_info("acme/thing", repo_type=kind, files_metadata=True).sha, info.sha)
    same(carol.repo_info("acme/thing", repo_type=kind, revision="main").sha, info.sha)
    assert carol.revision_exists("acme/thing", info.sha, repo_type=kind)
    assert not carol.revision_exists("acme/thing", "no-such-branch", repo_type=kind)

same(alice.space_info("acme/thing").sdk, "gradio")

# Without a namespace the repository belongs to the caller; others do not find a private one.
secret = alice.create_repo("secret", private=True)
same(secret.repo_id, "alice/secret")
same(alice.repo_info("alice/secret").private, True)
same(reader.repo_info("alice/secret").private, True)
assert not bob.repo_exists("alice/secret")
refused(lambda: bob.repo_info("alice/secret"), RepositoryNotFoundError, 404)
refused(lambda: bob.delete_repo("alice/secret"), RepositoryNotFoundError, 404)
refused(lambda: carol.create_repo("acme/mine"), HfHubHTTPError, 403, "403 Forbidden: ")
refused(lambda: reader.create_repo("alice/mine"), HfHubHTTPError, 403, "403 Forbidden: ")

alice.auth_check("alice/secret")
alice.auth_check("alice/secret", write=True)
reader.auth_check("alice/secret")
refused(lambda: reader.auth_check("alice/secret", write=True), HfHubHTTPError, 403)
carol.auth_check("acme/thing", repo_type="dataset")
refused(lambda: carol.auth_check("acme/thing", repo_type="dataset", write=True), HfHubHTTPError, 403)
refused(lambda: carol.auth_check("alice/secret"), RepositoryNotFoundError, 404)

own = list(alice.list_user_repos())
same([(repo.id, repo.type, repo.visibility) for repo in own], [("alice/secret", "model", "private")])
same((own[0].storage, own[0].updated_at.tzinfo), (0, timezone.utc))
same(
    sorted((repo.type, repo.id) for repo in bob.list_user_repos("acme")),
    [(kind, "acme/thing") for kind in sorted(PATHS)],
)

alice.update_repo_settings("alice/secret", private=False)
assert bob.repo_exists("alice/secret")
alice.update_repo_settings("acme/thing", repo_type="dataset", gated="auto")
alice.update_repo_settings("acme/thing", repo_type="dataset", gated=False, private=True)
same(bob.dataset_info("acme/thing").private, True)
assert not carol.repo_exists("acme/thing", repo_type="dataset")

alice.move_repo("alice/secret", "acme/plain")
same(bob.model_info("acme/plain").id, "acme/plain")
refused(lambda: alice.move_repo("acme/plain", "acme/thing"), HfHubHTTPError, 409)
refused(lambda: alice.move_repo("acme/nothing", "acme/else"), RepositoryNotFoundError, 404)

for kind in PATHS:
    alice.delete_repo("acme/thing", repo_type=kind)
    assert not alice.repo_exists("acme/thing", repo_type=kind)

kernel = alice.create_repo("acme/kernel", repo_type="kernel")
same(alice.repo_info("acme/kernel", repo_type="kernel").id, "acme/kernel")
alice.delete_repo("acme/kernel", repo_type="kernel")
bucket = alice.create_bucket("acme/pail", private=True)
same((bucket.bucket_id, bucket.url), ("acme/pail", f"{given['hubUrl']}/buckets/acme/pail"))
refused(lambda: alice.create_bucket("acme/pail"), HfHubHTTPError, 409)
alice.create_bucket("acme/pail", exist_ok=True)
alice.delete_bucket("acme/pail")
alice.delete_bucket("acme/pail", missing_ok=True)
# Without a namespace the client asks for the one of the caller.
own = alice.create_bucket("pail")
same((own.bucket_id, own.url), ("alice/pail", f"{given['hubUrl']}/buckets/alice/pail"))
same([bucket.id for bucket in alice.list_buckets()], ["alice/pail"])
same([bucket.id for bucket in nobody.list_buckets(namespace="alice")], ["alice/pail"])
alice.delete_bucket("alice/pail")

alice.delete_repo("acme/plain")
refused(lambda: alice.delete_repo("acme/plain"), RepositoryNotFoundError, 404)
alice.delete_repo("acme/plain", missing_ok=True)
