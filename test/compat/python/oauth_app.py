"""A web application as the client's own guide writes it, which its user signs in to with the hub. Its own library is
authlib, which checks the id_token by itself. Handed over: the application's id and secret, and a session of alice."""

import json
import os
import sys
from urllib.parse import parse_qsl, urlsplit

given = json.loads(sys.argv[1])
os.environ |= {
    "SPACE_ID": "acme/demo",
    "OAUTH_CLIENT_ID": given["clientId"],
    "OAUTH_CLIENT_SECRET": given["clientSecret"],
    "OAUTH_SCOPES": "openid profile email",
    "OPENID_PROVIDER_URL": given["hubUrl"],
}

import httpx  # noqa: E402
from fastapi import FastAPI, Request  # noqa: E402
from huggingface_hub import attach_huggingface_oauth, parse_huggingface_oauth, whoami  # noqa: E402
from starlette.testclient import TestClient  # noqa: E402

app = FastAPI()
attach_huggingface_oauth(app)


@app.get("/me")
def me(request: Request):
    info = parse_huggingface_oauth(request)
    return None if info is None else {"user": vars(info.user_info), "token": info.access_token, "scope": info.scope}


browser = TestClient(app, base_url="https://app.example", follow_redirects=False)
hub = httpx.Client(base_url=given["hubUrl"], headers={"cookie": given["cookie"], "origin": given["hubUrl"]})

assert browser.get("/me").json() is None
sent = browser.get("/oauth/huggingface/login?_target_url=/me").headers["location"]
assert sent.startswith(given["hubUrl"] + "/oauth/authorize?"), sent
asked = dict(parse_qsl(urlsplit(sent).query))
assert asked["redirect_uri"] == "https://app.example/oauth/huggingface/callback?_target_url=%2Fme", asked
assert asked["nonce"], asked
decided = hub.post("/api/oauth/authorize", json={**asked, "decision": "allow", "organizations": ["acme"]})
assert decided.status_code == 200, decided.text
back = browser.get(decided.json()["location"])
assert back.headers["location"] == "/me", back.text

shown = browser.get("/me").json()
assert shown["user"]["preferred_username"] == "alice", shown
assert shown["user"]["name"] == "Alice", shown
assert shown["user"]["email"] == "alice@example.com", shown
assert [org["preferred_username"] for org in shown["user"]["orgs"]] == ["acme"], shown
assert shown["scope"] == "openid profile email", shown
assert whoami(token=shown["token"])["name"] == "alice"

again = browser.get(decided.json()["location"])
assert again.headers.get("location") != "/me", "a code is good once"
