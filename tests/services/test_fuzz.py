"""Whatever is sent, there is an answer: never a fault of the service itself, and always JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from archstudio.bench.tasks import curated_tasks, start_model
from archstudio.services.environment import Environment, TooFar
from archstudio.services.tools import TOOLS
from archstudio.services.work import do

ENVIRONMENT = Environment(most_draws=300)
NAMES = ["grade", "check", "start", *TOOLS]
TYPES = ["input", "output", "linear", "relu", "conv2d", "add", "concatenate", "lstm", "embedding", "nonsense", "", None]

KEYS = ["inFeatures", "outFeatures", "shape", "dim", "numHeads", "embedDim", "x"]
KINDS = [
    *("add_component", "delete_component", "add_connection", "delete_connection", "update_params", "scale_params"),
    *("rename_component", "replace_model", "clear_canvas", "delete_components_matching", "other"),
]
PATTERNS = ["a", "(", ".*", "[", "(a|b)+$"]

numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
scalars = st.none() | st.booleans() | numbers | st.text(max_size=8)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
)
params = st.dictionaries(st.sampled_from(KEYS), anything, max_size=4)
name = st.sampled_from(["a", "b", "c", "input", "output", "attn", ""]) | scalars
action = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(KINDS) | scalars,
        "name": name,
        "newName": name,
        "afterName": name,
        "fromName": name,
        "toName": name,
        "componentType": st.sampled_from(TYPES) | anything,
        "params": params | anything,
        "paramKey": name,
        "factor": anything,
        "minValue": anything,
        "namePattern": st.sampled_from(PATTERNS) | anything,
        "components": anything,
        "connections": anything,
    },
)
component = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES), "name": name}, optional={"id": name, "params": params | anything, "meta": anything}
)
connection = st.fixed_dictionaries({"from": name, "to": name}, optional={"id": name, "fromPort": scalars})
graph = st.fixed_dictionaries(
    {"components": st.lists(component, max_size=5), "connections": st.lists(connection, max_size=6)},
    optional={"name": anything, "meta": anything, "layout": anything, "frames": anything, "schema": anything},
)
request = st.fixed_dictionaries(
    {},
    optional={
        "taskId": st.sampled_from([task.id for task in curated_tasks()]) | anything,
        "split": st.sampled_from(["core", "edge", "frontier", "curated", "generated"]) | anything,
        "seed": st.integers(0, 9) | anything,
        "count": st.integers(1, 300) | anything,
        "index": st.integers(0, 20) | anything,
        "offset": anything,
        "limit": anything,
        "actions": st.lists(action | anything, max_size=5) | anything,
        "verdicts": anything,
        "maxTurns": anything,
        "maxParams": anything,
        "graph": graph | anything,
        "code": st.sampled_from(["E-LINEAR-IN", "e-rank"]) | anything,
        "layer": name,
    },
)


def answered(work: str, body: bytes) -> None:
    try:
        answer = do(work, ENVIRONMENT, body)
    except TooFar:
        return
    told = json.loads(answer.body)
    assert answer.status == 200 or (400 <= answer.status < 500 and told["error"])


@pytest.mark.parametrize("work", NAMES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(body=request | graph | anything)
def test_any_request_is_answered(work: str, body: Any) -> None:
    answered(work, json.dumps(body).encode())


@pytest.mark.parametrize("work", NAMES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_request_cut_or_turned_anywhere_is_answered(work: str, data: st.DataObject) -> None:
    whole = json.dumps({"taskId": "fix-broken-attention", "actions": [], "graph": start_model("tiny-cnn")}).encode()
    at = data.draw(st.integers(0, len(whole)))
    answered(work, whole[:at] + data.draw(st.binary(max_size=3)) + data.draw(st.sampled_from([b"", whole[at:]])))
