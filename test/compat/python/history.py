"""Changes histories: annotated tags, squashed branches, large files removed from every commit, moved repositories."""

import tempfile
from pathlib import Path

from huggingface_hub.errors import HfHubHTTPError, RevisionNotFoundError
from story import alice, carol, refused, same

REPO = "acme/history"
alice.create_repo(REPO)
root = alice.model_info(REPO).sha
alice.upload_file(repo_id=REPO, path_or_fileobj=b"one", path_in_repo="x.txt")
middle = alice.model_info(REPO).sha
alice.upload_file(repo_id=REPO, path_or_fileobj=b"two", path_in_repo="x.txt")
alice.create_tag(REPO, tag="v1", tag_message="The first", revision=middle)
same({tag.name: tag.target_commit for tag in carol.list_repo_refs(REPO).tags}, {"v1": middle})
cache = tempfile.mkdtemp()
same(Path(carol.hf_hub_download(REPO, "x.txt", revision="v1", cache_dir=cache)).read_text(), "one")
alice.create_branch(REPO, branch="from-the-middle", revision=middle)
alice.create_branch(REPO, branch="from-the-root", revision=root[:8])
same(alice.model_info(REPO, revision="from-the-root").sha, root)
refused(lambda: alice.create_branch(REPO, branch="x", revision="0" * 40), RevisionNotFoundError, 404)

alice.super_squash_history(REPO, commit_message="All at once")
same([commit.title for commit in carol.list_repo_commits(REPO)], ["All at once"])
same(Path(carol.hf_hub_download(REPO, "x.txt", cache_dir=cache)).read_text(), "two")
refused(lambda: carol.super_squash_history(REPO), HfHubHTTPError, 403)
refused(lambda: alice.super_squash_history(REPO, branch="nowhere"), RevisionNotFoundError, 404)

pull = alice.create_pull_request(REPO, title="To squash")
for text in (b"one", b"two"):
    alice.upload_file(repo_id=REPO, path_or_fileobj=text, path_in_repo="pull.txt", revision=pull.git_reference)
alice.super_squash_history(REPO, branch=pull.git_reference)
same(len(alice.list_repo_commits(REPO, revision=pull.git_reference)), 1)
same(sorted(alice.list_repo_files(REPO, revision=pull.git_reference)), [".gitattributes", "pull.txt", "x.txt"])

alice.upload_file(repo_id=REPO, path_or_fileobj=b"weights" * 100, path_in_repo="model.safetensors")
alice.upload_file(repo_id=REPO, path_or_fileobj=b"weights" * 200, path_in_repo="kept.safetensors")
files = {file.filename: file for file in alice.list_lfs_files(REPO)}
same(sorted(files), ["kept.safetensors", "model.safetensors"])
before = alice.model_info(REPO).sha
alice.permanently_delete_lfs_files(REPO, [files["model.safetensors"]])
same(sorted(alice.list_repo_files(REPO)), [".gitattributes", "kept.safetensors", "x.txt"])
assert alice.model_info(REPO).sha != before
same([file.filename for file in alice.list_lfs_files(REPO)], ["kept.safetensors"])

# Clients up to 0.36 duplicate Spaces only.
if hasattr(alice, "duplicate_repo"):
    copied = alice.duplicate_repo(REPO, "acme/copied")
    same(copied.repo_id, "acme/copied")
    same(sorted(alice.list_repo_files("acme/copied")), [".gitattributes", "kept.safetensors", "x.txt"])
    same(Path(alice.hf_hub_download("acme/copied", "kept.safetensors", cache_dir=cache)).read_bytes(), b"weights" * 200)
    alice.duplicate_repo(REPO, "acme/copied", exist_ok=True)
    alice.delete_repo("acme/copied")

alice.move_repo(REPO, "acme/renamed")
same(carol.model_info(REPO).id, "acme/renamed")
same(Path(carol.hf_hub_download(REPO, "x.txt", cache_dir=cache)).read_text(), "two")
same(sorted(carol.list_repo_files(REPO)), [".gitattributes", "kept.safetensors", "x.txt"])
alice.delete_repo("acme/renamed")
