"""Reads a paper with and without a token."""

from huggingface_hub.errors import HfHubHTTPError
from story import alice, nobody, refused, same

for who in (alice, nobody):
    paper = who.paper_info("2401.01234")
    same((paper.id, paper.title, paper.summary, paper.upvotes), ("2401.01234", "On moons", "They are round.", 0))
    same([author.name for author in paper.authors], ["Alice L.", "Somebody Else"])
    same(paper.authors[0].user.username, "alice")
    same((paper.authors[0].hidden, paper.authors[1].user), (False, None))
    assert paper.published_at is not None and len(paper.discussion_id) == 24, paper

text = alice.read_paper("2401.01234")
assert text.startswith("# On moons\n") and "Alice L. (alice), Somebody Else" in text and "They are round." in text, text

[found] = alice.list_papers(query="moons", limit=5)
same((found.id, found.title, found.summary, found.comments), ("2401.01234", "On moons", "They are round.", 0))
same([author.name for author in found.authors], ["Alice L.", "Somebody Else"])
same(list(alice.list_papers(query="suns")), [])
same([paper.id for paper in alice.list_daily_papers()], ["2401.01234"])
same(list(alice.list_daily_papers(date="2020-01-01")), [])

refused(lambda: alice.paper_info("2401.99999"), HfHubHTTPError, 404, "There is no paper 2401.99999")
