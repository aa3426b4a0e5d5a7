"""Finds tags by type and Spaces by what they say about themselves."""

from story import alice, carol, same

tags = carol.get_model_tags()
assert "license:mit" in [tag["id"] for tag in tags["license"]]
assert "text-generation" in [tag["id"] for tag in tags["pipeline_tag"]]
same(
    [tag["label"] for tag in alice.get_dataset_tags()["task_categories"] if tag["id"].endswith("text-classification")],
    ["text-classification"],
)

if hasattr(carol, "search_spaces"):
    (found, *_) = carol.search_spaces("lists show", sdk="static")
    same([found.id, found.author, found.title], ["bob/lists-show", "bob", "lists-show"])
    same([found.sdk, found.semantic_relevancy_score, found.private], ["static", 1, False])
    same(list(carol.search_spaces("lists show", sdk=["docker"], include_non_running=True)), [])
