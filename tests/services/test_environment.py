"""The environment over HTTP: tasks, grades and episodes in the original's fields, and clear faults."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from archstudio.bench.generate import generate, generated_task
from archstudio.bench.grade import Submission, grade
from archstudio.bench.observation import observe
from archstudio.bench.tasks import curated_task, curated_tasks
from archstudio.edits.actions import apply
from archstudio.services.environment import reward

FIX = "fix-broken-attention"
MEND = {"type": "update_params", "name": "attn", "params": {"numHeads": 5}}
SPOIL = {"type": "update_params", "name": "attn", "params": {"numHeads": 3}}


def test_the_service_says_that_it_is_there(service: Any) -> None:
    assert service().get("/health").json() == {"ok": True, "benchmark": 1}


@pytest.mark.parametrize(("split", "tier"), [("generated", "core"), ("frontier", "frontier"), ("edge", "edge")])
def test_tasks_of_a_split_are_listed(service: Any, split: str, tier: Any) -> None:
    rows = service().get("/tasks", params={"count": 40, "seed": 7, "split": split}).json()
    made = list(generate(tier, 40, 7))
    assert [row["id"] for row in rows] == [task.id for task in made]
    assert [row["index"] for row in rows] == list(range(40))
    assert set(rows[3]) == {"index", "id", "spec", "observation", "constraints"}
    assert rows[3]["observation"] == observe(made[3].model())
    assert rows[3]["constraints"] == made[3].constraints


def test_by_default_256_tasks_of_seed_1_are_listed(service: Any) -> None:
    client = service()
    assert len(client.get("/tasks").json()) == 256
    assert [row["id"] for row in client.get("/tasks?split=curated").json()] == [task.id for task in curated_tasks()]
    assert len(client.get("/tasks?split=curated&count=3").json()) == 3


def test_a_curated_task_is_graded_as_by_the_grader(service: Any) -> None:
    client = service()
    for task in curated_tasks():
        actions = task.reference()
        made = client.post("/grade", json={"taskId": task.id, "actions": actions}).json()
        expected = grade(task, apply(task.model(), actions).model, Submission.of(actions))
        assert (made["pass"], made["score"], made["params"]) == (True, expected.score, expected.params)
        assert made["reward"] == pytest.approx(1 + expected.score / 200)


def test_a_generated_task_is_named_by_its_place(service: Any) -> None:
    client = service()
    task = generated_task("edge", 3, 5)
    place = {"seed": 3, "count": 10, "index": 5, "split": "edge"}
    made = client.post("/grade", json={**place, "actions": task.reference()}).json()
    assert (made["taskId"], made["pass"]) == (task.id, True)
    assert set(made) == {
        *("taskId", "pass", "score", "params", "blockers", "failures"),
        *("applied", "applyErrors", "reward"),
    }


def test_all_three_verdicts_can_be_asked_for(service: Any) -> None:
    hollow = [{"type": "update_params", "name": "attn", "params": {"numHeads": 0}}]
    made = service().post("/grade", json={"taskId": FIX, "actions": hollow, "verdicts": True}).json()
    assert (made["pass"], made["runs"], made["doesTheBrief"], made["passesAllThree"]) == (True, False, False, False)


def test_failed_actions_are_told_and_cost_a_tenth_each() -> None:
    assert reward(True, 80, 0) == pytest.approx(1.4)
    assert reward(False, 69, 0) == pytest.approx(0.345)
    assert reward(False, 0, 9) == pytest.approx(-0.3)
    assert reward(False, float("nan"), 0) == 0


def test_a_task_far_down_a_split_is_found(service: Any) -> None:
    made = service().post("/grade", json={"seed": 5, "count": 4000, "index": 3999, "actions": []}).json()
    assert made["taskId"] == next(reversed(list(generate("core", 4000, 5)))).id


# Episodes ------------------------------------------------------------------------------------------------------------


def test_an_episode_goes_on_from_the_graph_of_the_turn_before(service: Any) -> None:
    client = service()
    begun = client.post("/episode/start", json={"taskId": FIX, "maxTurns": 3}).json()
    assert (begun["taskId"], begun["turn"], begun["maxTurns"]) == (FIX, 0, 3)
    assert begun["observation"] == observe(curated_task(FIX).model())
    first = client.post("/episode/step", json={"episodeId": begun["episodeId"], "actions": [SPOIL]}).json()
    assert (first["pass"], first["turn"], first["done"]) == (False, 1, False)
    assert '"numHeads":3' in first["observation"]
    assert first["feedback"] == first["failures"]
    second = client.post("/episode/step", json={"episodeId": begun["episodeId"], "actions": [MEND]}).json()
    assert (second["pass"], second["turn"], second["done"]) == (True, 2, True)
    gone = client.post("/episode/step", json={"episodeId": begun["episodeId"], "actions": []})
    assert gone.status_code == 404


def test_counts_and_types_add_up_over_turns(service: Any) -> None:
    client = service()
    begun = client.post("/episode/start", json={"taskId": FIX, "maxTurns": 4}).json()
    step = {"episodeId": begun["episodeId"], "actions": [SPOIL, SPOIL, SPOIL]}
    client.post("/episode/step", json=step)
    made = client.post("/episode/step", json={**step, "actions": [SPOIL, MEND]}).json()
    assert made["failures"] == ["5 actions > max 4"]


@pytest.mark.parametrize(("given", "kept"), [(0, 1), (-5, 1), (1, 1), (16, 16), (99, 16), (None, 3)])
def test_the_number_of_turns_is_brought_within_bounds(service: Any, given: int | None, kept: int) -> None:
    begun = service().post("/episode/start", json={"taskId": FIX, "maxTurns": given}).json()
    assert begun["maxTurns"] == kept


def test_the_last_turn_ends_an_episode(service: Any) -> None:
    client = service()
    begun = client.post("/episode/start", json={"taskId": FIX, "maxTurns": 1}).json()
    step = {"episodeId": begun["episodeId"], "actions": []}
    assert client.post("/episode/step", json=step).json()["done"] is True
    assert client.post("/episode/step", json=step).status_code == 404


def test_the_oldest_episodes_make_room(service: Any) -> None:
    client = service(episodes=50)
    ids = [client.post("/episode/start", json={"taskId": FIX}).json()["episodeId"] for _ in range(96)]
    states = [client.post("/episode/step", json={"episodeId": each, "actions": []}).status_code for each in ids]
    assert states == [404] * 46 + [200] * 50


def test_a_graph_that_grows_without_end_is_refused(service: Any) -> None:
    client = service(episode_bytes=16 * 20_000)
    begun = client.post("/episode/start", json={"taskId": FIX, "maxTurns": 16}).json()
    many = [{"type": "add_component", "componentType": "relu", "name": f"r{k}"} for k in range(400)]
    refused = client.post("/episode/step", json={"episodeId": begun["episodeId"], "actions": many})
    assert (refused.status_code, "grown too large" in refused.json()["error"]) == (413, True)
    assert client.post("/episode/step", json={"episodeId": begun["episodeId"], "actions": [MEND]}).json()["pass"]


# What cannot be done -------------------------------------------------------------------------------------------------

Post = Callable[[str, bytes], Any]


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"", 400, "is not valid JSON"),
        (b"{", 400, "is not valid JSON"),
        (b"[]", 400, "must be a JSON object"),
        (b"null", 400, "must be a JSON object"),
        (b"\xff\xfe", 400, "is not UTF-8"),
        (b'{"taskId": "a", "taskId": "b"}', 400, "twice"),
        (b'{"taskId": "cnn-cifar", "actions": [NaN]}', 400, "NaN"),
        (b'{"taskId": "cnn-cifar", "actions": [1e999]}', 400, "1e999"),
        (b"[" * 100_000 + b"]" * 100_000, 400, "deep"),
        (b'{"a":' * 5_000 + b"1" + b"}" * 5_000, 400, "deep"),
        (b'{"taskId": "nowhere", "actions": []}', 404, "There is no task"),
        (b'{"taskId": 7, "actions": []}', 400, "taskId must be text"),
        (b'{"taskId": "cnn-cifar"}', 400, "actions must be a list"),
        (b'{"taskId": "cnn-cifar", "actions": "all"}', 400, "actions must be a list"),
        (b'{"taskId": "cnn-cifar", "actions": {"type": "clear_canvas"}}', 400, "actions must be a list"),
        (b'{"actions": []}', 400, "index must be a whole number"),
        (b'{"index": 256, "actions": []}', 400, "from 0 to 255"),
        (b'{"index": -1, "actions": []}', 400, "from 0 to 255"),
        (b'{"index": "0", "actions": []}', 400, "index must be a whole number"),
        (b'{"index": true, "actions": []}', 400, "index must be a whole number"),
        (b'{"index": 0.5, "actions": []}', 400, "index must be a whole number"),
        (b'{"index": 0, "seed": -1, "actions": []}', 400, "from 0 to 4,294,967,295"),
        (b'{"index": 0, "seed": 4294967296, "actions": []}', 400, "from 0 to 4,294,967,295"),
        (b'{"index": 0, "seed": 1' + b"0" * 4_000 + b', "actions": []}', 400, "seed is"),
        (b'{"index": 0, "seed": 1' + b"0" * 9_000 + b', "actions": []}', 400, ""),
        (b'{"index": 0, "count": 0, "actions": []}', 400, "from 1 to 100,000"),
        (b'{"index": 0, "count": 10000000, "actions": []}', 400, "from 1 to 100,000"),
        (b'{"index": 0, "split": "impossible", "actions": []}', 400, "There is no split 'impossible'"),
        (b'{"index": 0, "split": ["core"], "actions": []}', 400, "There is no split"),
        (b'{"index": 12, "split": "curated", "actions": []}', 400, "from 0 to 11"),
    ],
)
def test_a_bad_grade_request_is_told(service: Any, body: bytes, status: int, words: str) -> None:
    client = service()
    answer = client.post("/grade", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == status
    assert words in answer.json()["error"]
    assert len(answer.content) < 1_000
    assert client.get("/health").json()["ok"]


def test_hostile_actions_are_graded_or_told(service: Any) -> None:
    client = service()
    actions: list[Any] = [
        *(None, 7, "x", [], {}, {"type": None}, {"type": 3}, {"type": "unheard-of"}),
        {"type": "delete_components_matching", "namePattern": "(a+)+$"},
        {"type": "delete_components_matching", "namePattern": "(((("},
        {"type": "replace_model", "components": 5},
        {"type": "replace_model", "components": [None]},
        {"type": "scale_params", "paramKey": "inFeatures"},
        {"type": "update_params", "name": "input", "params": "text"},
    ]
    made = client.post("/grade", json={"taskId": "cnn-cifar", "actions": actions})
    assert made.status_code == 200
    assert any("bad regex" in text for text in made.json()["applyErrors"])


def test_a_hundred_thousand_actions_are_too_many(service: Any) -> None:
    refused = service().post("/grade", json={"taskId": "cnn-cifar", "actions": [{}] * 100_000})
    assert (refused.status_code, "100,000 actions; at most 10,000" in refused.json()["error"]) == (400, True)


def test_ten_thousand_actions_are_graded(service: Any) -> None:
    actions = [{"type": "update_params", "name": "input", "params": {"k": k}} for k in range(10_000)]
    made = service().post("/grade", json={"taskId": "cnn-cifar", "actions": actions}).json()
    assert made["applied"] == 10_000


def test_work_that_takes_too_long_is_ended_and_the_service_lives(service: Any) -> None:
    client = service(work_s=1.0)
    slow = [
        {"type": "add_component", "componentType": "relu", "name": f"n{k}", "afterName": "input"} for k in range(9_000)
    ]
    refused = client.post("/grade", json={"taskId": "cnn-cifar", "actions": slow})
    assert (refused.status_code, "takes more than 1 s" in refused.json()["error"]) == (413, True)
    large = [{"type": "update_params", "name": "input", "params": {"k": k}} for k in range(2_000)]
    assert client.post("/grade", json={"taskId": "cnn-cifar", "actions": large}).status_code == 200


def test_work_that_takes_too_much_memory_is_ended_and_the_service_lives(service: Any) -> None:
    client = service(work_bytes=512 * 2**20)
    names = {end: [f"{end}{k}" for k in range(6_000)] for end in "ab"}
    parts = [{"componentType": "relu", "name": name} for name in (*names["a"], "hub", *names["b"])]
    wires = [{"from": name, "to": "hub"} for name in names["a"]] + [{"from": "hub", "to": name} for name in names["b"]]
    star = {"type": "replace_model", "components": parts, "connections": wires}
    body = {"taskId": "cnn-cifar", "actions": [star, {"type": "delete_component", "name": "hub"}]}
    refused = client.post("/grade", json=body)
    assert refused.status_code == 413
    assert client.post("/grade", json={**body, "actions": [star]}).status_code == 200


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("count=0", "from 1 to 100,000"),
        ("count=10000000", "from 1 to 100,000"),
        ("count=many", "count must be a whole number"),
        ("count=" + "9" * 5_000, "count must be a whole number"),
        ("seed=-1", "from 0 to"),
        ("seed=4294967296", "from 0 to"),
        ("split=impossible", "There is no split"),
    ],
)
def test_a_bad_list_request_is_told(service: Any, query: str, words: str) -> None:
    answer = service().get(f"/tasks?{query}")
    assert answer.status_code == 400
    assert words in answer.json()["error"]


@pytest.mark.parametrize(
    "episode", ["ep-1-00000000", "ep-x-1", "ep-1", "", "'; DROP TABLE episode; --", "ep-" + "9" * 99]
)
def test_an_unknown_episode_is_told(service: Any, episode: str) -> None:
    answer = service().post("/episode/step", json={"episodeId": episode, "actions": []})
    assert answer.status_code == (404 if episode else 400)


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/nothing", 404), ("GET", "/grade", 405)])
def test_other_paths_are_told(service: Any, method: str, path: str, status: int) -> None:
    answer = service().request(method, path)
    assert (answer.status_code, list(answer.json())) == (status, ["error"])


def test_ten_to_the_fifth_tasks_are_streamed(service: Any) -> None:
    with service().stream("GET", "/tasks?count=100000&seed=2") as answer:
        start = next(answer.iter_bytes())
    assert json.loads(start[: start.index(b"},{")] + b"}]")[0]["id"] == "gen-mlp-0"
