"""The verdict over HTTP: a graph goes in as in the example call, and everything there is to say comes out."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from typing import Any

import pytest

from archstudio.bench.policies import corrected
from archstudio.bench.tasks import curated_task, start_model
from archstudio.edits.actions import apply
from archstudio.files.strict_json import read_json
from archstudio.services.requests import REQUEST_JSON

CHAIN = {
    "components": [
        {"id": "a", "type": "input", "name": "in", "params": {"shape": [1, 32]}},
        {"id": "b", "type": "linear", "name": "fc", "params": {"inFeatures": 64, "outFeatures": 8}},
        {"id": "c", "type": "output", "name": "out", "params": {}},
    ],
    "connections": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}],
}


def check(client: Any, graph: Any, **more: Any) -> Any:
    return client.post("/api/v1/check", json=graph, **more)


def test_the_example_call_gets_the_full_verdict(service: Any) -> None:
    client = service(token="an-example-token-of-a-client")
    headers = {"Authorization": "Bearer an-example-token-of-a-client", "Content-Type": "application/json"}
    made = client.post("/api/v1/check", content=json.dumps(CHAIN), headers=headers).json()
    assert made["runs"] is False
    (problem,) = made["problems"]
    assert (problem["code"], problem["layer"], problem["needs"], problem["gets"]) == (
        *("E-LINEAR-IN", "fc"),
        *("B×[64]", "B×[32]"),
    )
    assert problem["fixes"][0]["label"] == "inFeatures 32"
    assert [layer["state"] for layer in made["layers"]] == ["ok", "problem", "waiting"]
    assert set(made["rubric"]) == {"score", "params", "kvBytesPerToken", "blockers"}


def test_it_says_what_the_command_line_says(service: Any, tmp_path: Any) -> None:
    file = tmp_path / "graph.json"
    graph = start_model("tiny-cnn")
    file.write_text(json.dumps(graph))
    ran = subprocess.run(
        [sys.executable, "-m", "archstudio", "check", str(file), "--json"], capture_output=True, text=True, check=False
    )
    told = json.loads(ran.stdout)
    made = check(service(), graph).json()
    assert {key: made[key] for key in told} == told


def test_a_graph_can_be_graded_on_a_task(service: Any) -> None:
    task = curated_task("cnn-cifar")
    graph = apply(task.model(), corrected(task)).model
    made = check(service(), {"graph": graph, "taskId": task.id}).json()
    assert (made["runs"], made["task"]["pass"], made["task"]["passesAllThree"]) == (True, True, True)
    assert all(fact["holds"] for fact in made["task"]["brief"])


def test_components_without_ids_and_connections_by_name_are_understood(service: Any) -> None:
    loose = {
        "components": [
            {"componentType": "input", "name": "in", "params": {"shape": [1, 32]}},
            {"componentType": "linear", "name": "fc", "params": {"inFeatures": 32, "outFeatures": 8}},
            {"componentType": "output", "name": "out"},
        ],
        "connections": [{"from": "in", "to": "fc"}, {"fromName": "fc", "toName": "out"}],
    }
    assert check(service(), loose).json()["runs"] is True


@pytest.mark.parametrize(
    ("graph", "words"),
    [
        ({}, "components must be a list"),
        ({"components": [], "connections": 5}, "connections must be a list"),
        ({"components": [7], "connections": []}, "components must be a list of objects"),
        ({"components": [{"name": "a"}], "connections": []}, "type"),
        ({**CHAIN, "connections": [{"from": "a", "to": "nobody"}]}, "nobody"),
        ({**CHAIN, "components": [*CHAIN["components"], CHAIN["components"][0]]}, "taken"),
        ({**CHAIN, "components": [{**CHAIN["components"][0], "id": 5}]}, "components[0].id"),
        ({"graph": [], "taskId": "cnn-cifar"}, "A graph is an object"),
        ({"graph": CHAIN, "taskId": "nowhere"}, "There is no task"),
        ({"components": [{}] * 20_001, "connections": []}, "more than 20,000"),
        ({"components": [], "connections": [{}] * 100_001}, "more than 100,000"),
    ],
)
def test_what_is_no_graph_is_told(service: Any, graph: Any, words: str) -> None:
    answer = check(service(), graph)
    assert answer.status_code in (400, 404, 422)
    assert words in answer.json()["error"]


def test_loops_empty_graphs_and_hostile_names_are_answered(service: Any) -> None:
    client = service()
    ring = {**CHAIN, "connections": [{"from": "b", "to": "b"}, {"from": "a", "to": "b"}, {"from": "b", "to": "c"}]}
    assert check(client, ring).json()["runs"] is False
    assert check(client, {"components": [], "connections": []}).json()["layers"] == []
    name = "<script>alert(1)</script>\u0000"
    odd = {**CHAIN, "name": name, "components": [{**CHAIN["components"][0], "name": name}, *CHAIN["components"][1:]]}
    assert check(client, odd).json()["layers"][0]["name"] == name
    huge = {**CHAIN, "components": [{**CHAIN["components"][0], "params": {"shape": [1, 10**300]}}]}
    assert check(client, {**huge, "connections": []}).status_code == 200


def test_a_deep_network_is_checked(service: Any) -> None:
    layers = [{"id": f"n{k}", "type": "relu", "name": f"n{k}", "params": {}} for k in range(3_000)]
    ends = [CHAIN["components"][0], *layers, CHAIN["components"][2]]
    wires = [{"from": a["id"], "to": b["id"]} for a, b in pairwise(ends)]
    made = check(service(), {"components": ends, "connections": wires}).json()
    assert (made["runs"], len(made["layers"])) == (True, 3_002)


def test_neither_torch_nor_the_window_is_loaded() -> None:
    code = (
        "import sys\n"
        "from archstudio.services import worker, large_work, mcp_service, http_service\n"
        "from archstudio.services.environment import Environment\n"
        "from archstudio.services.work import do\n"
        f"answer = do('check', Environment(), {json.dumps(CHAIN).encode()!r})\n"
        "assert answer.status == 200 and b'E-LINEAR-IN' in answer.body, answer\n"
        "loaded = {'torch', 'PySide6', 'pyqtgraph', 'archstudio.ui', 'archstudio.app'} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_the_description_is_whole_and_loads_nothing_from_elsewhere(service: Any) -> None:
    client = service()
    document = client.get("/openapi.json").json()
    assert set(document["paths"]) == {
        *("/health", "/tasks", "/grade", "/episode/start", "/episode/step", "/api/v1/check"),
    }
    assert all(len(one["description"]) > 20 for path in document["paths"].values() for one in path.values())
    page = client.get("/docs")
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    for path in document["paths"]:
        assert path in page.text
    assert "http://" not in page.text.replace("http://www.w3.org", "")
    assert "https://" not in page.text
    assert "<script" not in page.text


def test_what_a_request_may_hold_fits_a_large_graph() -> None:
    parts = [{"id": f"n{k}", "type": "linear", "name": f"n{k}", "params": {"inFeatures": 1}} for k in range(20_000)]
    assert read_json(json.dumps({"components": parts}).encode(), limits=REQUEST_JSON)
