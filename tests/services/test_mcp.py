"""The tools as a client of the protocol meets them: over the standard streams of a real process."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from archstudio.bench.tasks import curated_task, start_model
from archstudio.edits.actions import apply, hydrate
from archstudio.graph import from_document
from archstudio.verify.session import check

SERVER = StdioServerParameters(command=sys.executable, args=["-m", "archstudio", "mcp"])
LOOSE = {
    "components": [
        {"type": "input", "name": "in", "params": {"shape": [1, 32]}},
        {"type": "linear", "name": "fc", "params": {"inFeatures": 64, "outFeatures": 8}},
        {"type": "output", "name": "out"},
    ],
    "connections": [{"from": "in", "to": "fc"}, {"from": "fc", "to": "out"}],
}
Talk = Callable[[Client], Awaitable[None]]


def talked(talk: Talk) -> None:
    async def main() -> None:
        async with asyncio.timeout(120), Client(SERVER) as client:
            await talk(client)

    asyncio.run(main())


async def call(client: Client, tool: str, **given: Any) -> Any:
    result = await client.call_tool(tool, given)
    text = result.content[0].text  # type: ignore[union-attr]
    assert not result.is_error, text
    return json.loads(text)


async def fault(client: Client, tool: str, **given: Any) -> str:
    result = await client.call_tool(tool, given)
    text: str = result.content[0].text  # type: ignore[union-attr]
    assert result.is_error, text
    return text


def test_five_tools_are_described() -> None:
    async def talk(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {
            *("audit_architecture", "grade_task", "generate_tasks"),
            *("explain_problem", "suggest_fix"),
        }
        assert all(len(tool.description or "") > 40 for tool in tools.values())
        assert tools["grade_task"].input_schema["required"] == ["actions"]

    talked(talk)


def test_an_architecture_is_audited_mended_and_explained() -> None:
    async def talk(client: Client) -> None:
        told = await call(client, "audit_architecture", graph=LOOSE, maxParams=100, taskId="mlp-tabular")
        assert (told["runs"], told["components"], told["params"], told["overBudget"]) == (False, 3, 512, True)
        assert told["problems"][0]["code"] == "E-LINEAR-IN"
        assert "does not run in PyTorch (1 error)" in told["summary"]
        assert "5 components" not in told["summary"]
        assert 'missing layer type "relu"' in told["task"]["failures"]

        mended = await call(client, "suggest_fix", graph=LOOSE)
        (problem,) = mended["problems"]
        first = problem["fixes"][0]
        assert first["actions"] == [{"type": "update_params", "name": "fc", "params": {"inFeatures": 32}}]
        for fix in problem["fixes"]:  # each does what it says, in the benchmark's own actions
            after = apply(hydrate({**whole(), "name": "m"}), fix["actions"]).model
            assert len(check(from_document(after)).errors) == fix["remainingErrors"]

        explained = await call(client, "explain_problem", code="e-linear-in")
        assert [p["code"] for p in explained["fails"]["problems"]] == ["E-LINEAR-IN"]
        assert explained["passes"]["problems"] == []
        assert len((await call(client, "explain_problem"))["codes"]) > 50

    talked(talk)


def whole() -> dict[str, Any]:
    """LOOSE with the ids that the service gives it."""
    ids = {part["name"]: f"n{place}" for place, part in enumerate(LOOSE["components"])}
    parts = [{"params": {}, **part, "id": ids[str(part["name"])]} for part in LOOSE["components"]]
    wires = [{"from": ids[wire["from"]], "to": ids[wire["to"]]} for wire in LOOSE["connections"]]  # type: ignore[index]
    return {"components": parts, "connections": wires}


def test_tasks_are_listed_and_graded() -> None:
    async def talk(client: Client) -> None:
        listed = await call(client, "generate_tasks", split="edge", seed=7, count=100, offset=60, limit=3)
        assert [row["index"] for row in listed["tasks"]] == [60, 61, 62]
        curated = await call(client, "generate_tasks", split="curated", limit=50)
        assert len(curated["tasks"]) == 12
        task = curated_task("fix-broken-attention")
        made = await call(client, "grade_task", taskId=task.id, actions=task.reference())
        assert (made["pass"], made["runs"], made["doesTheBrief"]) == (True, True, True)
        place = {"split": "edge", "seed": 7, "count": 100, "index": 60}
        assert (await call(client, "grade_task", actions=[], **place))["taskId"] == listed["tasks"][0]["id"]

    talked(talk)


def test_what_cannot_be_done_is_told_and_the_server_lives() -> None:
    async def talk(client: Client) -> None:
        assert "There is no task" in await fault(client, "grade_task", taskId="nowhere", actions=[])
        assert "index" in await fault(client, "grade_task", actions=[])
        assert "at most 10,000" in await fault(client, "grade_task", taskId="cnn-cifar", actions=[{}] * 100_000)
        assert "from 0 to" in await fault(client, "generate_tasks", seed=-1)
        assert "from 1 to 50" in await fault(client, "generate_tasks", limit=51)
        assert "from 1 to 100,000" in await fault(client, "generate_tasks", count=10**7)
        assert await fault(client, "generate_tasks", split="impossible")
        assert "Is it E-LINEAR-IN" in await fault(client, "explain_problem", code="E-LINEAR")
        assert await fault(client, "audit_architecture", graph={"components": 5})
        assert "no such problem" in await fault(client, "suggest_fix", graph=LOOSE, layer="nobody")
        assert (await call(client, "audit_architecture", graph=start_model("tiny-cnn")))["components"] == 5

    talked(talk)


@pytest.mark.parametrize(
    "garbage", [b"\n\n", b"not json\n" * 100, b'{"jsonrpc": "2.0"}\n', b"\xff\xfe\n", b"[" * 100_000 + b"\n"]
)
def test_garbage_on_the_stream_ends_nothing(garbage: bytes) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    }
    command = [sys.executable, "-m", "archstudio", "mcp"]
    given = garbage + json.dumps(hello).encode() + b"\n"
    ran = subprocess.run(command, input=given, capture_output=True, check=False, timeout=120)
    replies = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [reply["result"]["serverInfo"]["name"] for reply in replies if reply.get("id") == 1] == ["arch-studio"]
    assert ran.returncode == 0
