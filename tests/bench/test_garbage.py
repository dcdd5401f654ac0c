"""Whatever a model or a file says, grading gives a verdict instead of a traceback."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from archstudio.bench.brief import check_brief
from archstudio.bench.facts import Exact
from archstudio.bench.generate import generate
from archstudio.bench.grade import Submission, grade
from archstudio.bench.observation import observe
from archstudio.bench.policies import corrected
from archstudio.bench.reply import BadReply, parse_reply
from archstudio.bench.tasks import curated_tasks
from archstudio.bench.three_verdicts import judge_actions
from archstudio.edits.actions.engine import ACTION_TYPES, apply
from archstudio.edits.actions.javascript import json_text
from archstudio.edits.actions.model import hydrate

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-4, 1000),
    st.sampled_from(
        [10**400, -(10**400), 1e308, 0.5, float("inf"), float("nan"), "attn", "embed", "", "64", "relu", "(a+)+$"]
    ),
)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner)
)
SIZES = st.dictionaries(
    st.sampled_from(
        ["embedDim", "numHeads", "numKVHeads", "headDim", "inFeatures", "outFeatures", "kernelSize", "shape",
         "inChannels", "outChannels", "numExperts", "topK", "hiddenDim", "numEmbeddings", "embeddingDim"]
    ),
    JSON,
    max_size=4,
)  # fmt: skip
TYPES = st.sampled_from(
    ["input", "output", "linear", "conv2d", "multiHeadAttention", "concatenate", "relu", "mla", None, 7]
)
NAMES = st.sampled_from(["input", "embed", "attn", "head", "output", "x", None, 5, []])
ACTIONS = st.lists(
    st.fixed_dictionaries(
        {"type": st.sampled_from([*ACTION_TYPES, "explain"])},
        optional={
            "name": NAMES,
            "componentType": TYPES,
            "afterName": NAMES,
            "fromName": NAMES,
            "toName": NAMES,
            "newName": NAMES,
            "namePattern": SCALARS,
            "paramKey": st.sampled_from(["embedDim", "outFeatures", "numHeads", None]),
            "factor": JSON,
            "minValue": SCALARS,
            "params": SIZES | JSON,
            "components": JSON
            | st.lists(st.fixed_dictionaries({"componentType": TYPES, "name": NAMES, "params": SIZES})),
            "connections": JSON | st.lists(st.fixed_dictionaries({"from": NAMES, "to": NAMES})),
        },
    )
    | JSON,
    max_size=6,
)
STARTS = st.fixed_dictionaries(
    {
        "components": st.lists(
            st.fixed_dictionaries({"id": NAMES, "type": TYPES}, optional={"name": NAMES, "params": SIZES | JSON}),
            max_size=5,
        ),
        "connections": st.lists(st.fixed_dictionaries({"from": NAMES, "to": NAMES}), max_size=6),
    }
)


@settings(max_examples=150, deadline=None)
@given(STARTS, ACTIONS)
def test_any_start_and_any_actions_get_a_verdict(start: dict[str, Any], actions: list[Any]) -> None:
    applied = apply(hydrate(start), actions)
    for task in curated_tasks():
        result = grade(task, applied.model, Submission.of(actions))
        assert result.passed == all(check.ok for check in result.checks)
        assert all(fact.text and fact.value for fact in check_brief(task, applied.model, Exact(1_000)))
    assert observe(applied.model).startswith("Model: ")
    json.loads(json_text(applied.model))


TASKS = [*curated_tasks(), *generate("core", 10, 3), *generate("frontier", 3, 3), *generate("edge", 2, 3)]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(TASKS), st.booleans(), ACTIONS)
def test_any_actions_get_all_three_verdicts(task: Any, solved: bool, actions: list[Any]) -> None:
    made = judge_actions(task, [*(corrected(task) or []), *actions] if solved else actions)
    assert made.runs is True or made.refusals
    assert (made.parameters is None) == (made.runs is not True)
    assert all(fact.text and fact.value for fact in made.facts)


@settings(deadline=None)
@given(st.text('{}[]":,\\ `ab1*+n', max_size=60))
def test_any_reply_is_read_or_refused_with_a_reason(text: str) -> None:
    try:
        outcome = type(parse_reply(text + '{"actions":' + text)).__name__
    except BadReply as bad:
        outcome = bad.category
    assert outcome in {"list", "parse-error", "other"}
