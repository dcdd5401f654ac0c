"""Problems as SARIF: what readers of the format need is there."""

from __future__ import annotations

from itertools import pairwise

from archstudio.verify import check
from archstudio.verify.sarif import sarif_log

ROWS = ("input", {"shape": [4, 8]})


def log_of(build, silenced=None):
    nodes = {
        "x": ROWS,
        "a": ("relu", {}),
        "b": ("gelu", {}),
        "head": ("linear", {"inFeatures": 9, "outFeatures": 2}),
        "y": ("output", {}),
    }
    graph = build(nodes, [f"{a} -> {b}" for a, b in pairwise(nodes)])
    graph.rename("net")
    if silenced:
        graph.set_meta("silenced", silenced)
    return sarif_log(check(graph), "models/net.json", "1.2.3")


def test_each_problem_is_a_result_at_its_layer(build):
    log = log_of(build)
    assert (log["version"], log["$schema"].endswith("sarif-2.1.0.json")) == ("2.1.0", True)
    (run,) = log["runs"]
    assert run["tool"]["driver"]["version"] == "1.2.3"
    assert [(r["ruleId"], r["level"]) for r in run["results"]] == [
        ("E-LINEAR-IN", "error"),
        ("A-TWICE-ACTIVATED", "note"),
    ]
    (location,) = run["results"][0]["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "models/net.json"
    assert location["logicalLocations"] == [{"name": "head", "fullyQualifiedName": "net/head", "kind": "linear"}]
    assert run["results"][0]["message"]["text"] == "head expects 9 features, the wire carries 8"


def test_results_point_to_their_rules(build):
    (run,) = log_of(build)["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert all(rule["help"]["text"] and rule["shortDescription"]["text"] for rule in rules)


def test_what_is_silenced_is_a_suppressed_result_with_its_reason(build):
    (run,) = log_of(build, {"A-TWICE-ACTIVATED": "both are meant"})["runs"]
    suppressed = [r for r in run["results"] if "suppressions" in r]
    assert [r["ruleId"] for r in suppressed] == ["A-TWICE-ACTIVATED"]
    assert suppressed[0]["suppressions"] == [{"kind": "inSource", "justification": "both are meant"}]


def test_a_problem_of_the_whole_graph_has_no_layer(build):
    (run,) = sarif_log(check(build({"x": ROWS, "a": ("relu", {})}, ["x -> a"])), "net.json", "1")["runs"]
    (result,) = run["results"]
    assert result["ruleId"] == "A-NO-OUTPUT"
    assert "logicalLocations" not in result["locations"][0]
