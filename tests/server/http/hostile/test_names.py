"""Names that look like markup, code, patterns or records: they are text everywhere."""

from __future__ import annotations

import pytest

from spieltisch.i18n.format import LANGUAGES
from spieltisch.records import read
from tests.server.http.hostile.requests import (
    check_response,
    post,
)
from tests.support.server import Person, TableClient, new_key

NAMES = [
    "<script>alert(1)</script>", "</script><svg/onload=alert(1)>", '"><img src=x onerror=alert(1)>', "'-alert(1)-'",
    "javascript:alert(1)", "<a href=//x.example>Ada</a>", "--><!--", "]]>", "<b>Ada", "\\u003cscript\\u003e", "%3Cscript%3E",
    "{{7*7}}", "${7*7}", "#{7*7}", "<%= 7*7 %>", "{name}", "{0}", "{n, plural, other {x}}", "{", "}", "}{", "'{name}'", "#",
    "%s%n%x", "%(name)s", "{0.__class__}", "{name:the}", "$name", "`id`", "$(id)", "| id", "\\", "\\n", "a\\", "\\x00",
    "' OR '1'='1", "Robert') DROP TABLE log --", '" OR 1=1 --', "1 UNION SELECT line FROM log", "%' --", "_",
    '@ {"do":"ended"}', "undo 1", "* R", "game template", "0 R", "data: x", "event: gone", "id: 99", ": still here",
    "\u202eadA", "\u2066Ada\u2069", "A\u200bda", "\u200f", "\u200b", "e\u0301\u0301\u0301\u0301", "Z\u0351\u036b\u0343\u036a\u0302",
    "👩\u200d👩\u200d👧\u200d👦", "🏴\u200d☠\ufe0f", "\ufdfa", "אדה", "عائشة", "Ада", "アダ", "愛達", "ไอดา", "አዳ", "İ", "ß", "ﬀ", "A\u00a0B",
    "\ufeffAda", "\U000e0041", "\U0010fffd", "=1+1", "@SUM(A1)", "../../etc/passwd", "NUL", "null", "undefined", "true", "-0",
    "1e309", "Müller-Lüdenscheidt", "Noël d’Été", "Ibo & Ada", "a  b", "  x", "…", "“”", "„", "«\u202fx\u202f»", "\u2068", "Bot 1",
]  # fmt: skip
REFUSED = ["a\nb", "a\r\nb", 'a\n{"event": "forged"}', "a\x00", "a\x1b[31m", "a\x7f", "a\x85b", "a\u2028b", "a\u2029b", "&lt;b", "a ; b",
           "\ud800", "", " ", "\u3000", "x" * 41]  # fmt: skip


def all_sentences(table: TableClient, seat: int, language: str) -> str:
    """Every sentence about the table in one language."""
    told = table.person.get(f"{table.path}/events", language=language, seat=seat, after=0).json()
    position = told["position"]
    words = [one["words"] for one in told["events"]]
    return "\n".join([*words, *position["told"], *position["sheet"], position["winners"] or ""])


@pytest.mark.parametrize("four", range(0, len(NAMES), 4))
def test_a_name_is_text_everywhere_and_comes_back_unchanged(server, four):
    names = [*NAMES[four : four + 4], "Ada", "Eva"][:4]
    shown = [name.strip() for name in names]
    ada = Person(server)
    table = ada.open_table(
        "template", *({"kind": "person", "name": name} for name in names), public=True, first=0, games=1
    )
    for seat in range(4):
        told = table.look(seat=seat)
        choice = told["position"]["choices"][0]["text"]
        table.do("actions", seat=seat, version=told["version"], draft=[choice, "."])
    told = table.look(seat=0)
    assert [seat["name"] for seat in told["table"]["seats"]] == shown
    listed = next(one for one in ada.get("/api/tables").json() if one["table"] == table.table)
    assert listed["seats"] == shown
    for language in LANGUAGES:
        sentences = all_sentences(table, 0, language)
        assert all(name in sentences for name in shown[1:])
    streamed = []
    with table.stream(seat=0) as heard:
        while not streamed or streamed[-1]["event"] != "table":
            streamed.append(next(heard))
    assert {event["event"] for event in streamed} == {"happened", "table"}
    assert [seat["name"] for seat in streamed[-1]["data"]["table"]["seats"]] == shown
    for seat in range(3):
        table.do("resign", seat=seat)
    record = table.person.get(f"{table.path}/record")
    assert record.headers["content-type"] == "text/plain; charset=utf-8"
    assert record.headers["content-disposition"].startswith("attachment")
    assert [name for _, name in read(record.text).games[0].names] == shown
    for language in LANGUAGES[four % 6 :][:1]:
        body = {"record": record.text}
        again = check_response(ada.http.post(ada.url("/api/replays"), json=body, params={"language": language})).json()
        assert again["names"] == shown
        assert all(name in "\n".join(one["words"] for one in again["events"]) for name in shown)
    for page in ("/", "/api/docs", "/metrics"):
        text = ada.get(page).text
        assert not [name for name in names if name in ("<script>alert(1)</script>", "<b>Ada") and name in text]


@pytest.mark.parametrize("name", REFUSED)
def test_a_name_that_a_record_cannot_hold_is_refused(ada, name):
    seats = [{"kind": "person", "name": name}, {"kind": "open"}]
    answer = post(ada, "/api/tables", {"key": new_key(), "game": "template", "seats": seats})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-request")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_quotes_the_input_as_text(ada, language):
    """The refusal quotes the input, shortened and printable, and never interprets it."""
    for sent, back in (
        ("<script>", "<script>"),
        ("{name}", "{name}"),
        ("%s{0}", "%s{0}"),
        ("a\nb", "a·b"),
        ("x" * 90, "x" * 59 + "…"),
    ):
        body = {"key": new_key(), "game": sent, "seats": [{"kind": "open"}] * 2}
        answer = check_response(ada.http.post(ada.url("/api/tables"), json=body, params={"language": language}))
        assert answer.json()["code"] == "unknown-game"
        assert back in answer.json()["message"]
    table = ada.open_table("template", "{name}", "open")
    answer = ada.http.post(
        ada.url(f"{table.path}/join"),
        json={"key": new_key(), "name": "{name}", "seat": 1},
        params={"language": language},
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "taken")
    assert "{name}" in answer.json()["message"]
