"""Takes likes back, and lists who likes what."""

from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError
from huggingface_hub.utils import get_session

from story import alice, carol, reader, refused, same


def like(api, repo: str) -> None:
    answer = get_session().post(f"{api.endpoint}/api/{repo}/like", headers=api._build_hf_headers())
    same([answer.status_code, answer.json()], [200, {}])


llama, letters = "bob/lists-llama", "bob/lists-letters"
like(alice, f"models/{llama}")
like(carol, f"models/{llama}")
like(carol, f"datasets/{letters}")
like(alice, "models/acme/lists-hidden")

same([user.username for user in alice.list_repo_likers(llama)], ["carol", "alice"])
same(carol.model_info(llama, expand=["likes"]).likes, 2)
likes = alice.list_liked_repos("carol")
same([likes.user, likes.total, likes.models, likes.datasets, likes.spaces], ["carol", 2, [llama], [letters], []])
same(alice.list_liked_repos().models, [llama])

refused(lambda: reader.unlike(llama), HfHubHTTPError, 403)
for _ in range(2):
    alice.unlike(llama)
alice.unlike("acme/lists-hidden")
carol.unlike(letters, repo_type="dataset")
same([user.username for user in carol.list_repo_likers(llama)], ["carol"])
same(carol.list_liked_repos().total, 1)
carol.unlike(llama)
for missing in ("acme/lists-hidden", "acme/none", "none"):
    refused(lambda: carol.unlike(missing), RepositoryNotFoundError, 404)
