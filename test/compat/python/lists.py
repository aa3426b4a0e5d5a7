"""Lists models, datasets, Spaces and kernels with filters, fields and pages."""

from huggingface_hub.errors import BadRequestError

from story import alice, bob, carol, refused, same


def names(found) -> list[str]:
    return [repo.id for repo in found]


hidden = "acme/lists-hidden"
same(names(bob.list_models(search="lists", sort="created_at")), [hidden, "bob/lists-llama", "alice/lists-bert"])
same(names(carol.list_models(search="lists", sort="created_at")), ["bob/lists-llama", "alice/lists-bert"])
same(names(bob.list_models(author="bob", search="lists llama")), ["bob/lists-llama"])
same(names(bob.list_models(filter=["license:mit", "chat"])), ["bob/lists-llama"])
same(names(bob.list_models(pipeline_tag="text-generation", search="lists")), ["bob/lists-llama"])
same(names(bob.list_models(gated=True, search="lists")), [])
same(names(bob.list_models(num_parameters="min:6B,max:128B", search="lists")), [])
same(names(bob.list_models(search="lists", sort="created_at", limit=1)), [hidden])

(llama,) = bob.list_models(search="lists-llama", full=True, cardData=True, fetch_config=True)
same(llama.card_data.license, "mit")
same(llama.config["model_type"], "llama")
same(llama.private, False)
assert "config.json" in [file.rfilename for file in llama.siblings]
(named,) = bob.list_models(search="lists-llama", expand=["downloads", "downloadsAllTime", "likes", "tags"])
same([named.downloads, named.downloads_all_time, named.likes], [0, 0, 0])
assert "chat" in named.tags

same(names(carol.list_datasets(search="lists", task_categories="text-classification", full=True)), ["bob/lists-letters"])
same(names(carol.list_datasets(language="fr", author="bob")), [])
(space,) = carol.list_spaces(models="bob/lists-llama", linked=True)
same([space.id, space.models], ["bob/lists-show", ["bob/lists-llama"]])
same(names(carol.list_spaces(search="lists", datasets=["bob/lists-other"])), [])
refused(lambda: list(alice.list_models(sort="name")), BadRequestError, 400, "sort")
