"""Graphs to read and change."""

from __future__ import annotations

from typing import Any

import pytest

from archstudio.graph import Graph, from_document


def branches_document() -> dict[str, Any]:
    """input fans out to left and right, which join; with everything optional, and keys nobody knows."""
    return {
        "schema": 1,
        "name": "branches",
        "components": [
            {"id": "i", "type": "input", "name": "input", "params": {"shape": [1, 8]}},
            {"id": "l", "type": "linear", "name": "left", "params": {"outFeatures": 4}, "meta": {"inferred": ["x"]}},
            {"id": "r", "type": "linear", "name": "right", "params": {}, "vendor": {"colour": "blue"}},
            {"id": "j", "type": "concatenate", "name": "join", "params": {"dim": 1.5}},
            {"id": "o", "type": "output", "name": "output", "params": {}},
        ],
        "connections": [
            {"id": "a", "from": "i", "to": "l"},
            {"id": "b", "from": "i", "to": "r", "weight": 3},
            {"id": "c", "from": "l", "to": "j", "toPort": "first"},
            {"id": "d", "from": "r", "to": "j", "fromPort": "hidden"},
            {"id": "e", "from": "j", "to": "o"},
        ],
        "layout": {"i": [0.0, 0.0], "j": [10.5, 200.0]},
        "frames": [{"id": "f", "title": "Arms", "nodes": ["l", "r"], "colour": "red", "collapsed": True, "z": 2}],
        "notes": [{"id": "n", "text": "Why?", "position": [1.0, 2.0], "size": [90.0, 40.0], "author": "me"}],
        "meta": {"batch": 4, "mode": "train"},
        "vendor": [1, {"x": "y"}],
    }


@pytest.fixture
def document() -> dict[str, Any]:
    """The JSON form of `branches`."""
    return branches_document()


@pytest.fixture
def branches(document: dict[str, Any]) -> Graph:
    """input fans out to left and right, which join."""
    return from_document(document)
