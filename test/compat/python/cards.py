"""Loads, pushes, validates and changes cards; reads metadata of files and headers of weights."""

import json
import struct
import time

from huggingface_hub import ModelCard, ModelCardData, metadata_update
from story import alice, same

REPO = "acme/cards"
alice.create_repo(REPO)
card = ModelCard(f"---\n{ModelCardData(license='mit', library_name='transformers', tags=['letters']).to_yaml()}\n---\n# Hi\n")
card.push_to_hub(REPO, token=alice.token)
same(ModelCard.load(REPO, token=alice.token).data.license, "mit")
card.data.license = "nobodys"
try:
    card.validate()
    raise AssertionError("an unknown license was accepted")
except ValueError as error:
    assert '- Error: "license" must be one of' in str(error), error
metadata_update(REPO, {"language": "en"}, token=alice.token)

header = json.dumps({"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}).encode()
weights = struct.pack("<Q", len(header)) + header + bytes(24)
alice.upload_file(repo_id=REPO, path_or_fileobj=weights, path_in_repo="model.safetensors")
same(alice.get_safetensors_metadata(REPO).parameter_count, {"F32": 6})

info = alice.model_info(REPO)
for _ in range(3000):
    if info.safetensors is not None:
        break
    time.sleep(0.1)
    info = alice.model_info(REPO)
same((info.safetensors.total, info.library_name, info.card_data.license), (6, "transformers", "mit"))
same(info.tags, ["transformers", "safetensors", "letters", "en", "license:mit", "region:us"])
same(alice.model_info(REPO, expand=["cardData"]).card_data.language, "en")
assert alice.model_info(REPO, securityStatus=True).security_repo_status == {"scansDone": False, "filesWithIssues": []}
alice.delete_repo(REPO)
