"""Reads what is public without a token, and nothing else."""

import tempfile
from pathlib import Path

from huggingface_hub import CommitOperationAdd
from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError
from story import alice, nobody, refused, same

REPO, HIDDEN, GATED = "alice/strangers-open", "alice/strangers-hidden", "alice/strangers-gated"
LARGE = bytes(range(256)) * 800

for repo in (REPO, HIDDEN, GATED):
    alice.create_repo(repo, private=repo == HIDDEN)
    files = {"config.json": b'{"hidden_size": 4}', "weights.safetensors": LARGE}
    operations = [CommitOperationAdd(path, content) for path, content in files.items()]
    alice.create_commit(repo, operations, commit_message="Files")
alice.update_repo_settings(GATED, gated="auto")

same(nobody.model_info(REPO).id, REPO)
same(nobody.model_info(GATED).gated, "auto")
same({repo.id for repo in nobody.list_models(author="alice", search="strangers")}, {REPO, GATED})
same({repo.id for repo in alice.list_models(author="alice", search="strangers")}, {REPO, GATED, HIDDEN})
same(sorted(nobody.list_repo_files(REPO)), [".gitattributes", "config.json", "weights.safetensors"])
same([file.path for file in nobody.get_paths_info(REPO, ["config.json"])], ["config.json"])
same(len(nobody.list_repo_commits(REPO)), 2)
same([branch.name for branch in nobody.list_repo_refs(REPO).branches], ["main"])
same(list(nobody.get_repo_discussions(REPO)), [])
same(nobody.get_user_overview("alice").username, "alice")

cache = tempfile.mkdtemp()
for path, content in files.items():
    same(Path(nobody.hf_hub_download(REPO, path, cache_dir=cache)).read_bytes(), content)
folder = Path(nobody.snapshot_download(REPO, cache_dir=tempfile.mkdtemp()))
same((folder / "weights.safetensors").read_bytes(), LARGE)

# Without a file in the cache, clients wrap the error of the request.
for repo, kind in ((HIDDEN, RepositoryNotFoundError), ("alice/strangers-absent", RepositoryNotFoundError), (GATED, GatedRepoError)):
    try:
        nobody.hf_hub_download(repo, "config.json", cache_dir=tempfile.mkdtemp())
        raise AssertionError(f"{repo} was downloaded")
    except kind:
        pass
    if kind is RepositoryNotFoundError:
        refused(lambda: nobody.model_info(repo), kind, 401, "Invalid username or password.")
        refused(lambda: nobody.auth_check(repo), kind, 401)
same([nobody.repo_exists(repo) for repo in (REPO, GATED, HIDDEN)], [True, True, False])
refused(lambda: nobody.auth_check(GATED), GatedRepoError, 401, "you are not in the authorized list")

for repo in (REPO, HIDDEN, GATED):
    alice.delete_repo(repo)
