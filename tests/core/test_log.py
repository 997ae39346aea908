"""The append-only log: versions share their storage and still are values of their own."""

from __future__ import annotations

import copy
import pickle

import pytest

from spieltisch.core.log import Log


def test_appending_leaves_earlier_versions_as_they_are():
    short = Log("ab")
    one, other = short.append("c"), short.append("d")
    assert (list(short), list(one), list(other)) == (["a", "b"], ["a", "b", "c"], ["a", "b", "d"])
    assert list(one.cut(1).append("e")) == ["a", "e"]
    assert (one[-1], one[:2], len(one)) == ("c", ["a", "b"], 3)
    with pytest.raises(IndexError):
        short[2]


def test_a_pickled_version_holds_nothing_that_was_appended_later():
    short = Log(["shown"])
    short.append("hidden")
    assert b"hidden" not in pickle.dumps(short)
    assert pickle.loads(pickle.dumps(short)) == copy.deepcopy(short) == short
