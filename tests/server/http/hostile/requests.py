"""Hostile requests: odd values, mutated documents, and the check that every response must pass."""

from __future__ import annotations

import copy
import json
import math
from pathlib import Path

import httpx
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from spieltisch.server.errors import STATUS
from spieltisch.table.commands.match import MAX_DEPTH
from tests.support.server import Person

GAMES = Path(__file__).parents[4] / "src/spieltisch/games"
JSON = {"content-type": "application/json"}


def deterministic(examples: int):
    """Settings of hypothesis that generate the same examples every time."""
    return settings(
        max_examples=examples, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )


def check_response(answer: httpx.Response) -> httpx.Response:
    """Checks a response and returns it: it is no failure, and a refusal is JSON with a sentence and a known code."""
    assert answer.status_code < 500, answer.text
    assert "html" not in answer.headers.get("content-type", "")
    assert answer.headers["x-content-type-options"] == "nosniff"
    if answer.status_code >= 400:
        assert answer.headers["content-type"] == "application/json"
        told = answer.json()
        assert set(told) == {"code", "message", "rule", "field", "line"}
        assert told["message"]
        assert answer.status_code in (STATUS[told["code"]], 405)
    return answer


def post(
    person: Person, path: str, body: object = None, content: bytes | None = None, **headers: str
) -> httpx.Response:
    sent = encode_json(body) if content is None else content
    return check_response(person.http.post(person.url(path), content=sent, headers={**JSON, **headers}))


class Nested(str):
    """Stands for deeply nested brackets, which the JSON encoder would refuse to write."""

    __slots__ = ()


NESTED = {Nested(f"deep {n}"): n for n in (MAX_DEPTH - 1, MAX_DEPTH + 1, 100, 500, 900, 1100, 20_000)}
ODD_VALUES = [None, True, 0, -1, 1, 2**31, 2**63, 10**30, 10**4000, -0.0, 1e308, math.nan, math.inf, "", "x" * 1000, "\x00",
       "\ud800", "\u202e", "{}", "[]", "NaN", "9" * 5000, [], {}, [[]], {"": {}}, [None] * 500, *NESTED]  # fmt: skip
WORDS = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
    [one for one in ODD_VALUES if isinstance(one, str)]
)


def encode_json(value: object) -> bytes:
    """The value as JSON; what JSON does not have, such as NaN, as Python writes it."""
    text = json.dumps(value)
    for word, depth in NESTED.items():
        text = text.replace(
            json.dumps(word), "[" * depth + "]" * depth if depth % 2 else '{"a":' * depth + "1" + "}" * depth
        )
    return text.encode()


@st.composite
def mutated_documents(draw, document: object) -> object:
    """A JSON document with a few values changed, removed or duplicated."""
    whole = [copy.deepcopy(document)]
    for _ in range(draw(st.integers(1, 3))):
        inside: object = whole
        place: object = 0
        while True:
            assert isinstance(inside, dict | list)
            keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
            if not keys:
                break
            place = draw(st.sampled_from(keys))
            if not isinstance(inside[place], dict | list) or not inside[place] or draw(st.integers(0, 3)) == 0:
                break
            inside = inside[place]
        how = draw(st.sampled_from(["odd", "odd", "word", "gone", "double", "new"]))
        if not inside or how == "new":
            new = copy.deepcopy(draw(st.sampled_from(ODD_VALUES)))
            inside.append(new) if isinstance(inside, list) else inside.update({draw(WORDS): new})
        elif how == "gone" and inside is not whole:
            del inside[place]
        elif how == "double" and isinstance(inside, list) and inside is not whole:
            inside.append(inside[place])
        else:
            inside[place] = draw(WORDS) if how == "word" else copy.deepcopy(draw(st.sampled_from(ODD_VALUES)))
    return whole[0]
