"""A language model answers tasks in one conversation each: rounds, rehearsals, tools, bad replies and bad services."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from archstudio.bench.run import LanguageModel, play
from archstudio.bench.run.record import result_line
from archstudio.bench.tasks import curated_task
from archstudio.llm import Asker, Backoff, Client, Endpoint, Sampling
from archstudio.llm.stand_in import Behaviour, StandIn, calls, says, sends

MEND = {"type": "update_params", "name": "attn", "params": {"numHeads": 5}}
SPOIL = {"type": "update_params", "name": "attn", "params": {"numHeads": 3}}
TASK = curated_task("fix-broken-attention")

Asked = Callable[..., tuple[StandIn, LanguageModel]]


@pytest.fixture
def asked() -> Iterator[Asked]:
    """`asked(a, b)` is a model whose service behaves so, one behaviour a request."""
    opened: list[Any] = []

    def start(*behaviours: Behaviour, tools: bool = False) -> tuple[StandIn, LanguageModel]:
        left = list(behaviours)
        service = StandIn(lambda _: left.pop(0) if len(left) > 1 else left[0])
        service.__enter__()
        client = Client(Endpoint(service.base_url), backoff=Backoff(attempts=2), sleep=lambda _: None)
        opened.extend([client, service])
        return service, LanguageModel(Asker(client), "m", Sampling(temperature=0.2), with_tools=tools)

    yield start
    for each in opened:
        each.__exit__(None, None, None)


def reply(*actions: Mapping[str, Any], audit: bool = False) -> Behaviour:
    return says("Let me think.\n" + json.dumps({"actions": actions, **({"audit": True} if audit else {})}))


def shown(service: StandIn, request: int) -> list[tuple[str, str]]:
    return [(m["role"], m["content"]) for m in service.asked[request]["messages"]]


def test_the_brief_the_graph_and_the_format_are_told(asked: Asked) -> None:
    service, model = asked(reply(MEND))
    episode = play(TASK, model.conversation())
    assert episode.passed
    (_, system), (role, told) = shown(service, 0)
    assert role == "user"
    assert TASK.spec in told
    assert "attn (multiHeadAttention)" in told
    assert '{"actions": [...]}' in told
    assert "rehearse" not in told
    assert "update_params" in system
    assert "tools" not in service.asked[0]
    assert result_line(episode)["tokens"] == 15


def test_a_later_round_hears_what_failed_and_sees_the_graph_as_it_is_now(asked: Asked) -> None:
    service, model = asked(reply(SPOIL), reply(MEND))
    episode = play(TASK, model.conversation(), rounds=3)
    assert (episode.passed, len(episode.submitted)) == (True, 2)
    roles = [role for role, _ in shown(service, 1)]
    assert roles == ["system", "user", "assistant", "user"]
    assert "embedDim 100 not divisible by numHeads 3" in shown(service, 1)[3][1]
    assert '"numHeads":3' in shown(service, 1)[3][1]


def test_a_reply_without_actions_costs_a_round(asked: Asked) -> None:
    service, model = asked(says("I would rather not."), reply(MEND))
    episode = play(TASK, model.conversation(), rounds=2)
    assert episode.passed
    assert "no JSON object in reply" in shown(service, 1)[3][1]


def test_a_rehearsal_in_plain_text_changes_nothing(asked: Asked) -> None:
    service, model = asked(reply(SPOIL, audit=True), reply(MEND))
    episode = play(TASK, model.conversation(), audits=1)
    assert (episode.passed, len(episode.rounds), len(episode.submitted)) == (True, 2, 1)
    assert "rehearse 1 more time " in shown(service, 0)[1][1]
    assert '"pass": false' in shown(service, 1)[3][1]
    assert "Now submit" in shown(service, 1)[3][1]


def test_the_verifier_can_be_called_as_a_tool(asked: Asked) -> None:
    service, model = asked(
        calls("audit_architecture", {"actions": [SPOIL]}), calls("submit_actions", {"actions": [MEND]}), tools=True
    )
    episode = play(TASK, model.conversation(), audits=1)
    assert (episode.passed, len(episode.submitted), episode.rounds[0].audit) == (True, 1, True)
    offered = [[tool["function"]["name"] for tool in body["tools"]] for body in service.asked]
    assert offered == [["audit_architecture", "submit_actions"], ["submit_actions"]]
    assert shown(service, 1)[3][0] == "tool"
    assert '"pass": false' in shown(service, 1)[3][1]
    assert service.asked[1]["messages"][3]["tool_call_id"] == "call_1"


@pytest.mark.parametrize("arguments", ["not json", "[]", '{"actions": "all"}', '{"actions": ' + "[" * 5000])
def test_a_call_with_nonsense_is_a_bad_reply(asked: Asked, arguments: str) -> None:
    _, model = asked(calls("submit_actions", arguments), tools=True)
    (only,) = play(TASK, model.conversation()).rounds
    assert only.actions is None
    assert only.fault


def test_a_service_that_is_down_leaves_the_task_without_reply(asked: Asked) -> None:
    _, model = asked(sends(b"down", 503))
    episode = play(TASK, model.conversation(), rounds=2)
    told = result_line(episode)
    assert (told["status"], told["tokens"], len(told["faults"])) == ("ERROR", None, 2)
    assert "HTTP 503" in told["faults"][0]


def test_another_try_is_another_question(asked: Asked) -> None:
    service, model = asked(reply(MEND))
    for attempt in (1, 2):
        play(TASK, model.conversation(attempt))
    assert len(service.asked) == 2
    assert model.asker.store is None


def test_a_trace_holds_the_whole_conversation(asked: Asked) -> None:
    _, model = asked(says(json.dumps({"actions": [MEND]}), reasoning="5 divides 100"))
    talk = model.conversation()
    play(TASK, talk)
    trace = talk.trace(TASK, "the graph", True)
    assert (trace["reasoning"], trace["verified"], trace["source"]) == ("5 divides 100", True, "m")
    assert [message["role"] for message in trace["messages"]] == ["system", "user", "assistant"]
