"""A plugin of pytest: the tests of huggingface_hub know the users, tokens and addresses of a staging instance of the public
hub; here they get those of the hub at HF_ENDPOINT. Tests that read repositories of the public hub are skipped."""

import json
import os

import pytest
from huggingface_hub import repocard
from tests import testing_constants

for name, value in json.loads(os.environ["MOONBASE_TEST_CONSTANTS"]).items():
    setattr(testing_constants, name, value)


class OwnSession:
    """Cards are checked at the public hub whatever HF_ENDPOINT says."""

    def __init__(self, session):
        self.session = session

    def __getattr__(self, name):
        return getattr(self.session, name)

    def post(self, url, **given):
        return self.session.post(url.replace("https://huggingface.co", os.environ["HF_ENDPOINT"]), **given)


@pytest.fixture(autouse=True)
def cards_checked_here(monkeypatch):
    session = repocard.get_session
    monkeypatch.setattr(repocard, "get_session", lambda: OwnSession(session()))


def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("production") or "api_prod" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.skip(reason="reads repositories of the public hub"))
