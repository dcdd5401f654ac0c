"""Actions change a model as Arch-Bench changes it, and malformed ones change nothing else."""

from typing import Any

import pytest

from archstudio.edits.actions.engine import ACTION_TYPES, apply
from archstudio.edits.actions.javascript import json_text
from archstudio.edits.actions.model import Model, clone


def wires(model: Model) -> list[str]:
    return [f"{wire['from']} -> {wire['to']}" for wire in model["connections"]]


def names(model: Model) -> list[Any]:
    return [item.get("name") for item in model["components"]]


def test_the_model_given_is_left_alone(mlp: Model) -> None:
    before = clone(mlp)
    apply(mlp, [{"type": kind, "name": "a", "params": {"x": 1}} for kind in ACTION_TYPES])
    assert mlp == before


def test_adding_after_a_layer_takes_over_its_wires(mlp: Model) -> None:
    added = apply(mlp, [{"type": "add_component", "componentType": "relu", "name": "n", "afterName": "a"}])
    assert wires(added.model) == ["input -> a", "n-b0 -> r", "r -> b", "b -> output", "a -> n-b0"]
    assert added.model["connections"][1]["id"] == "c1"


def test_adding_after_nothing_still_counts_and_is_an_error(mlp: Model) -> None:
    added = apply(mlp, [{"type": "add_component", "componentType": "relu", "name": "n", "afterName": "gone"}])
    assert added.applied == 1
    assert [str(error) for error in added.errors] == ['add_component: afterName "gone" not found']
    assert names(added.model)[-1] == "n"


def test_deleting_a_middle_layer_heals_the_chain(mlp: Model) -> None:
    healed = apply(mlp, [{"type": "delete_component", "name": "r"}])
    assert wires(healed.model) == ["input -> a", "b -> output", "a -> b"]
    assert healed.model["components"][1]["outputs"] == ["b"]


def test_deleting_a_wire_does_not_heal(mlp: Model) -> None:
    cut = apply(mlp, [{"type": "delete_connection", "fromName": "a", "toName": "r"}])
    assert wires(cut.model) == ["input -> a", "r -> b", "b -> output"]


def test_a_layer_with_a_self_loop_leaves_dangling_wires_behind(mlp: Model) -> None:
    actions = [
        {"type": "add_connection", "fromName": "r", "toName": "r"},
        {"type": "delete_component", "name": "r"},
    ]
    assert wires(apply(mlp, actions).model) == ["input -> a", "b -> output", "a -> b", "a -> r", "r -> b"]


def test_an_absent_pattern_deletes_everything(mlp: Model) -> None:
    assert apply(mlp, [{"type": "delete_components_matching"}]).model["components"] == []


def test_a_bad_pattern_is_an_error_that_names_it(mlp: Model) -> None:
    failed = apply(mlp, [{"type": "delete_components_matching", "namePattern": "(?i)A"}, {"type": "clear_canvas"}])
    assert [error.index for error in failed.errors] == [0]
    assert "bad regex (?i)A" in failed.errors[0].text
    assert failed.applied == 1


def test_a_pattern_that_would_take_for_ever_is_an_error(mlp: Model) -> None:
    mlp["components"][1]["name"] = "a" * 60
    failed = apply(mlp, [{"type": "delete_components_matching", "namePattern": "(a+)+$!"}])
    assert "too many steps" in failed.errors[0].text
    assert len(failed.model["components"]) == 5


@pytest.mark.parametrize(
    ("factor", "size"), [(2, 128), ("0x2", 128), (True, 64), (None, 1), (0.5, 32), (-3, 1), ([2], 128)]
)
def test_scaling_multiplies_as_javascript_does(mlp: Model, factor: Any, size: int) -> None:
    action = {"type": "scale_params", "paramKey": "outFeatures", "factor": factor, "namePattern": "^a$"}
    assert apply(mlp, [action]).model["components"][1]["params"]["outFeatures"] == size


def test_scaling_without_a_factor_gives_nan(mlp: Model) -> None:
    scaled = apply(mlp, [{"type": "scale_params", "paramKey": "outFeatures"}]).model
    assert json_text(scaled["components"][1]["params"]) == '{"inFeatures":32,"outFeatures":null}'


def test_replacing_resolves_a_repeated_name_to_the_last(mlp: Model) -> None:
    action = {
        "type": "replace_model",
        "components": [{"componentType": kind, "name": "d"} for kind in ("input", "relu")]
        + [{"componentType": "output", "name": "o"}],
        "connections": [{"from": "d", "to": "o"}, {"from": "d", "to": "o"}, {"from": "d", "to": "nobody"}],
    }
    assert wires(apply(mlp, [action]).model) == ["n-b1 -> n-b2", "n-b1 -> n-b2"]


@pytest.mark.parametrize(
    "broken",
    [
        {"components": 0},
        {"components": "ab"},
        {"components": {}},
        {"components": [None]},
        {"components": [], "connections": [None]},
        {"components": [], "connections": {"a": 1}},
    ],
)
def test_a_replacement_that_fails_changes_nothing(mlp: Model, broken: dict[str, Any]) -> None:
    failed = apply(mlp, [{"type": "replace_model", **broken}])
    assert failed.applied == 0
    assert len(failed.errors) == 1
    assert names(failed.model) == names(mlp)


def test_a_failed_replacement_has_used_its_ids(mlp: Model) -> None:
    actions = [
        {"type": "replace_model", "components": [{"name": "x"}, None]},
        {"type": "add_component", "name": "y"},
    ]
    assert apply(mlp, actions).model["components"][-1]["id"] == "n-b1"


def test_ids_in_use_are_never_issued_again(mlp: Model) -> None:
    mlp["components"][0]["id"] = "n-b0"
    assert apply(mlp, [{"type": "add_component", "name": "y"}]).model["components"][-1]["id"] == "n-b1"


@pytest.mark.parametrize("junk", [None, 5, "oops", [], {}, {"type": ""}, {"type": 0}])
def test_what_is_no_action_is_passed_over(mlp: Model, junk: Any) -> None:
    result = apply(mlp, [junk])
    assert (result.applied, result.errors, result.skipped) == (0, [], [])


def test_unknown_types_are_listed_and_do_nothing(mlp: Model) -> None:
    result = apply(mlp, [{"type": "explain"}, {"type": ["add_component"]}, {"type": 5}])
    assert result.skipped == ["explain", ["add_component"], 5]
    assert names(result.model) == names(mlp)


@pytest.mark.parametrize("actions", [None, "nonsense", 5, {"type": "clear_canvas"}])
def test_anything_but_a_list_is_no_actions(mlp: Model, actions: Any) -> None:
    assert apply(mlp, actions).model == mlp


def test_an_action_without_a_name_finds_the_first_nameless_layer(mlp: Model) -> None:
    actions = [
        {"type": "add_component", "name": None},
        {"type": "add_component"},
        {"type": "rename_component", "newName": "found"},
    ]
    assert names(apply(mlp, actions).model)[-2:] == [None, "found"]
