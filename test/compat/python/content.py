"""Commits, lists, downloads and deletes files, on branches and at commits."""

import tempfile
from pathlib import Path

from huggingface_hub import CommitOperationAdd, CommitOperationDelete, errors
from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError, RepositoryNotFoundError, RevisionNotFoundError
from story import alice, carol, given, refused, same

# Clients up to 0.36 have one class for files missing at the hub and in the cache.
RemoteEntryNotFoundError = getattr(errors, "RemoteEntryNotFoundError", EntryNotFoundError)

REPO = "acme/files"
alice.create_repo(REPO)
same(alice.list_repo_files(REPO), [".gitattributes"])

here = Path(tempfile.mkdtemp())
(here / "README.md").write_text("# Files\n")
(here / "config.json").write_text('{"hidden_size": 4}')
(here / "deep" / "er").mkdir(parents=True)
(here / "deep" / "er" / "a b#%é.txt").write_text("with blanks")
(here / "empty").write_text("")

first = alice.upload_file(repo_id=REPO, path_or_fileobj=here / "config.json", path_in_repo="config.json")
same(first.commit_url, f"{given['hubUrl']}/{REPO}/commit/{first.oid}")
alice.upload_folder(repo_id=REPO, folder_path=here, commit_message="A folder")
same(
    sorted(alice.list_repo_files(REPO)),
    [".gitattributes", "README.md", "config.json", "deep/er/a b#%é.txt", "empty"],
)
head = alice.model_info(REPO).sha
# The client does not upload existing content again.
alice.upload_folder(repo_id=REPO, folder_path=here)
same(alice.model_info(REPO).sha, head)

cache = tempfile.mkdtemp()
for api in (alice, carol):
    path = Path(api.hf_hub_download(REPO, "deep/er/a b#%é.txt", cache_dir=cache))
    same(path.read_text(), "with blanks")
same(Path(alice.hf_hub_download(REPO, "empty", cache_dir=cache)).read_text(), "")
snapshot = Path(alice.snapshot_download(REPO, cache_dir=cache))
same(snapshot.name, head)
same((snapshot / "README.md").read_text(), "# Files\n")
refused(lambda: alice.hf_hub_download(REPO, "nothing.txt", cache_dir=cache), RemoteEntryNotFoundError, 404)
refused(lambda: alice.hf_hub_download(REPO, "x", revision="nowhere", cache_dir=cache), RevisionNotFoundError, 404)
refused(lambda: alice.hf_hub_download("acme/none", "x", cache_dir=cache), RepositoryNotFoundError, 404)
assert alice.file_exists(REPO, "config.json")
assert not alice.file_exists(REPO, "config.yaml")

info = alice.model_info(REPO, files_metadata=True)
same({file.rfilename: file.size for file in info.siblings}["config.json"], 18)
[entry] = alice.get_paths_info(REPO, ["config.json"], expand=True)
same((entry.path, entry.size, entry.last_commit.oid), ("config.json", 18, first.oid))
tree = list(alice.list_repo_tree(REPO, recursive=True, expand=True))
same([item.path for item in tree][2:5], ["config.json", "deep", "deep/er"])
commits = alice.list_repo_commits(REPO)
same([(commit.title, commit.authors) for commit in commits][0], ("A folder", ["alice"]))
same(commits[-1].title, "initial commit")

alice.delete_file("config.json", REPO)
assert not alice.file_exists(REPO, "config.json")
same(Path(alice.hf_hub_download(REPO, "config.json", revision=head, cache_dir=cache)).read_text(), '{"hidden_size": 4}')
refused(lambda: alice.delete_file("config.json", REPO), RemoteEntryNotFoundError, 404)
alice.delete_folder("deep", REPO)
same(sorted(alice.list_repo_files(REPO)), [".gitattributes", "README.md", "empty"])

alice.create_branch(REPO, branch="draft/one")
alice.upload_file(repo_id=REPO, path_or_fileobj=b"draft", path_in_repo="draft.txt", revision="draft/one")
same("draft.txt" in alice.list_repo_files(REPO, revision="draft/one"), True)
same("draft.txt" in alice.list_repo_files(REPO), False)
alice.create_tag(REPO, tag="v1", revision="draft/one")
same(Path(carol.hf_hub_download(REPO, "draft.txt", revision="v1", cache_dir=cache)).read_text(), "draft")

stale = [CommitOperationAdd("x.txt", b"x"), CommitOperationDelete("empty")]
refused(lambda: alice.create_commit(REPO, stale, commit_message="late", parent_commit=head), HfHubHTTPError, 412)
refused(lambda: carol.upload_file(repo_id=REPO, path_or_fileobj=b"", path_in_repo="x"), HfHubHTTPError, 403)
assert issubclass(RemoteEntryNotFoundError, EntryNotFoundError)

alice.delete_repo(REPO)
