"""Reads a repository of the upstream by its name, while the upstream is there and once it is away."""

import hashlib
import tempfile
from pathlib import Path

from huggingface_hub import errors
from huggingface_hub.errors import EntryNotFoundError, GatedRepoError, RepositoryNotFoundError, RevisionNotFoundError
from story import alice, given, refused, same

# Clients up to 0.36 have one class for files missing at the hub and in the cache.
RemoteEntryNotFoundError = getattr(errors, "RemoteEntryNotFoundError", EntryNotFoundError)

REPO = given["repo"]
HEAD = given["head"]


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


info = alice.model_info(REPO)
same((info.id, info.sha, info.private), (REPO, HEAD, False))
same(sorted(alice.list_repo_files(REPO)), sorted(given["digests"]))
# Nobody has this cache: every byte comes from the hub.
cache = tempfile.mkdtemp()
for name, expected in given["digests"].items():
    same(digest(alice.hf_hub_download(REPO, name, cache_dir=cache)), expected)
snapshot = Path(alice.snapshot_download(REPO, cache_dir=tempfile.mkdtemp()))
same(snapshot.name, HEAD)
for name, expected in given["digests"].items():
    same(digest(snapshot / name), expected)
snapshot = Path(alice.snapshot_download(REPO, revision=HEAD, local_dir=tempfile.mkdtemp()))
same(digest(snapshot / "model.bin"), given["digests"]["model.bin"])

for name, kind in {"ada/letters": "dataset", "ada/show": "space"}.items():
    same(alice.repo_info(name, repo_type=kind).id, name)
    snapshot = Path(alice.snapshot_download(name, repo_type=kind, cache_dir=tempfile.mkdtemp()))
    same((snapshot / ".gitattributes").exists(), True)

if not given["isAway"]:
    refused(lambda: alice.hf_hub_download(REPO, "nothing.txt", cache_dir=cache), RemoteEntryNotFoundError, 404)
    refused(lambda: alice.hf_hub_download(REPO, "x", revision="nowhere", cache_dir=cache), RevisionNotFoundError, 404)
    refused(lambda: alice.model_info("ada/nothing"), RepositoryNotFoundError, 404)
    refused(lambda: alice.hf_hub_download("ada/secret", "x", cache_dir=cache), RepositoryNotFoundError, 404)
    refused(lambda: alice.hf_hub_download("ada/gated", ".gitattributes", cache_dir=cache), GatedRepoError, 403)
    same(alice.model_info("ada/gated").gated, "manual")
    refused(lambda: alice.delete_file("config.json", REPO), RepositoryNotFoundError, 404)
    [entry] = alice.get_paths_info(REPO, ["config.json"], expand=True)
    same(entry.last_commit.oid, HEAD)
    same([branch.target_commit for branch in alice.list_repo_refs(REPO).branches], [HEAD])
