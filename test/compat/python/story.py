"""Users and assertions for every story; a failed assertion prints the actual value."""

import json
import sys
from typing import Any, Callable, TypeVar

from huggingface_hub import HfApi
from huggingface_hub.errors import HfHubHTTPError

E = TypeVar("E", bound=HfHubHTTPError)

given: dict[str, Any] = json.loads(sys.argv[1])

alice, reader, bob, carol = (HfApi(token=given["tokens"][who]) for who in ("alice", "reader", "bob", "carol"))
nobody = HfApi(token=False)


def same(seen: Any, expected: Any) -> None:
    assert seen == expected, f"\n     saw {seen!r}\nexpected {expected!r}"


def refused(call: Callable[[], Any], kind: type[E], status: int, *words: str) -> E:
    """Checks that a call fails with exactly this class, status and message; returns the error."""
    error: Any = None
    answer: Any = None
    try:
        answer = call()
    except HfHubHTTPError as raised:
        error = raised
    assert error is not None, f"expected {kind.__name__}, but it answered {answer!r}"
    assert type(error) is kind, f"expected {kind.__name__}, saw {error!r}"
    same(error.response.status_code, status)
    for part in words:
        assert part in str(error), f"expected {part!r} in: {error}"
    return error
