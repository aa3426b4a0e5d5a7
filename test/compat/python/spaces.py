"""Variables, secrets, volumes and the state of Spaces, on a hub that does not run them."""

from huggingface_hub import SpaceHardware, SpaceStorage, Volume
from huggingface_hub.errors import BadRequestError, HfHubHTTPError, RepositoryNotFoundError

from story import alice, carol, reader, refused, same

WHY = "This hub stores Spaces but does not run them, so "
app = "alice/spaces-app"
alice.create_repo(
    app,
    repo_type="space",
    space_sdk="gradio",
    space_variables=[{"key": "FROM", "value": "the start", "description": "Of old"}],
    space_secrets=[{"key": "KEPT", "value": "hush"}],
)


def variables(api, repo: str = app) -> dict[str, str]:
    return {key: variable.value for key, variable in api.get_space_variables(repo).items()}


def secrets(api, repo: str = app) -> list[str]:
    return list(api.get_space_secrets(repo))


# As in the client's own tests.
alice.add_space_secret(app, "foo", "123")
alice.add_space_secret(app, "bar", "123", description="This is a secret")
alice.add_space_secret(app, "foo", "789", description="This is another secret")
alice.delete_space_secret(app, "bar")
alice.delete_space_secret(app, "missing_key")
same(secrets(alice), ["KEPT", "foo"])
listed = alice.get_space_secrets(app)["foo"]
same((listed.key, listed.description, listed.updated_at is not None), ("foo", "This is another secret", True))

alice.add_space_variable(app, "MODEL_REPO_ID", "user/repo")
added = alice.add_space_variable(app, "MODEL_REPO_ID", "user/other", description="found it there")
same((added["MODEL_REPO_ID"].value, added["MODEL_REPO_ID"].description), ("user/other", "found it there"))
same(list(alice.delete_space_variable(app, "missing_key")), ["FROM", "MODEL_REPO_ID"])
same(variables(carol), {"FROM": "the start", "MODEL_REPO_ID": "user/other"})
refused(lambda: carol.add_space_variable(app, "X", "1"), HfHubHTTPError, 403)
refused(lambda: carol.get_space_secrets(app), HfHubHTTPError, 403)
refused(lambda: reader.get_space_secrets(app), HfHubHTTPError, 403)
refused(lambda: alice.add_space_secret(app, "no-name", "x"), BadRequestError, 400, "must begin with a letter")
refused(lambda: carol.get_space_runtime("alice/spaces-none"), RepositoryNotFoundError, 404)

# Nothing runs.
for runtime in (alice.get_space_runtime(app), alice.pause_space(app), alice.wait_for_space(app), carol.space_info(app).runtime):
    same((runtime.stage, runtime.hardware, runtime.requested_hardware), ("PAUSED", None, None))
    same((runtime.sleep_time, runtime.storage, runtime.dev_mode, runtime.volumes), (None, None, False, []))
    same(runtime.raw["errorMessage"], WHY[: WHY.index(",")])
for call in (
    lambda: alice.restart_space(app),
    lambda: alice.restart_space(app, factory_reboot=True),
    lambda: alice.request_space_hardware(app, SpaceHardware.T4_MEDIUM, sleep_time=60),
    lambda: alice.set_space_sleep_time(app, 300),
    lambda: alice.enable_space_dev_mode(app),
    lambda: alice.disable_space_dev_mode(app),
    # Removed in version 2.
    *(
        (lambda: alice.request_space_storage(app, SpaceStorage.SMALL), lambda: alice.delete_space_storage(app))
        if hasattr(alice, "request_space_storage")
        else ()
    ),
    lambda: alice.create_repo("alice/spaces-never", repo_type="space", space_sdk="gradio", space_hardware="t4-medium"),
    lambda: alice.duplicate_repo(app, "alice/spaces-never", repo_type="space", space_sleep_time=60),
):
    error = refused(call, HfHubHTTPError, 501, WHY)
    same(error.response.headers["X-Error-Code"], "NotImplemented")
refused(lambda: carol.restart_space(app), HfHubHTTPError, 403)
assert not alice.repo_exists("alice/spaces-never", repo_type="space")
same(alice.list_spaces_hardware(), [])
same(alice.list_space_templates(), [])
for follow in (False, True):
    same(list(alice.fetch_space_logs(app, follow=follow)), [WHY[: WHY.index(",")] + ".\n"])

# Volumes are kept.
alice.create_repo("alice/spaces-weights", private=True)
alice.create_repo("alice/spaces-data", repo_type="dataset")
alice.set_space_volumes(
    app,
    [
        Volume(type="model", source="alice/spaces-weights", mount_path="/models", read_only=True),
        Volume(type="dataset", source="alice/spaces-data", mount_path="/data", path="train", revision="main"),
    ],
)
same([volume.source for volume in alice.get_space_runtime(app).volumes], ["alice/spaces-weights", "alice/spaces-data"])
[shown] = carol.space_info(app).runtime.volumes
same((shown.type, shown.mount_path, shown.path, shown.revision, shown.read_only), ("dataset", "/data", "train", "main", True))
alice.delete_space_volumes(app)
refused(lambda: alice.delete_space_volumes(app), BadRequestError, 400, "The Space has no volumes")

# Copies have the variables, and no secrets of the original.
carol.duplicate_repo(app, "carol/spaces-copy", repo_type="space", space_secrets=[{"key": "MINE", "value": "x"}])
same(variables(carol, "carol/spaces-copy"), variables(alice))
same(secrets(carol, "carol/spaces-copy"), ["MINE"])

alice.move_repo(app, "alice/spaces-moved", repo_type="space")
same((secrets(alice, "alice/spaces-moved"), len(variables(alice, "alice/spaces-moved"))), (["KEPT", "foo"], 2))
alice.delete_repo("alice/spaces-moved", repo_type="space")
carol.delete_repo("carol/spaces-copy", repo_type="space")
alice.delete_repo("alice/spaces-weights")
alice.delete_repo("alice/spaces-data", repo_type="dataset")
