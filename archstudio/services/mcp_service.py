"""The tools over MCP on standard streams; every call has the same limits as a request over HTTP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import archstudio
from archstudio.services.crew import Crew
from archstudio.services.extras import MissingExtra
from archstudio.services.limits import DEFAULT_LIMITS, ServiceLimits
from archstudio.services.work import encoded

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

_INSTRUCTIONS = (
    "Check neural-network architectures given as graphs: whether PyTorch would run them, what is wrong and what mends "
    "it; and list and grade Arch-Bench tasks. A graph is {components: [{type, name, params}], connections: "
    "[{from, to}]} with connections by name or id. Nothing that is sent is ever run."
)
Graph: TypeAlias = dict[str, Any]
Actions: TypeAlias = list[Any]
Split: TypeAlias = Literal["generated", "core", "frontier", "edge", "curated"]


def run_stdio() -> None:
    """Serve until the client closes the stream. Raises MissingExtra."""
    mcp_server().run("stdio")


def mcp_server(limits: ServiceLimits = DEFAULT_LIMITS) -> "MCPServer[None]":
    """A server of the five tools. Raises MissingExtra."""
    try:
        from mcp.server.mcpserver import MCPServer
    except ImportError:
        raise MissingExtra("mcp") from None

    crew = Crew(limits)

    @asynccontextmanager
    async def lifespan(_: "MCPServer[None]") -> AsyncIterator[None]:
        try:
            yield
        finally:
            crew.close()

    server: MCPServer[None] = MCPServer(
        "arch-studio", version=archstudio.__version__, instructions=_INSTRUCTIONS, lifespan=lifespan, log_level="ERROR"
    )
    tools = _Tools(crew)
    for tool in (
        tools.audit_architecture,
        tools.grade_task,
        tools.generate_tasks,
        tools.explain_problem,
        tools.suggest_fix,
    ):
        server.add_tool(tool, structured_output=False)
    return server


class _Tools:
    """What a client may call; names, parameters and texts are what it reads."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew

    async def audit_architecture(self, graph: Graph, maxParams: float | None = None, taskId: str | None = None) -> str:
        """Say whether PyTorch would run a graph, what is wrong with it, its parameters, and the benchmark's score.

        With maxParams also whether it is over that budget; with taskId also its grade on that curated task.
        """
        return await self._told("audit_architecture", graph=graph, maxParams=maxParams, taskId=taskId)

    async def grade_task(
        self,
        actions: Actions,
        taskId: str | None = None,
        split: Split = "generated",
        seed: int = 1,
        count: int = 256,
        index: int | None = None,
    ) -> str:
        """Apply actions to a task's starting graph and grade it: by the rubric, by PyTorch, and by the brief.

        The task is a curated one (taskId), or the one at `index` of a split.
        """
        return await self._told(
            "grade_task", actions=actions, taskId=taskId, split=split, seed=seed, count=count, index=index
        )

    async def generate_tasks(
        self, split: Split = "generated", seed: int = 1, count: int = 256, offset: int = 0, limit: int = 10
    ) -> str:
        """List up to 50 tasks of a split with their briefs, starting graphs and limits."""
        return await self._told("generate_tasks", split=split, seed=seed, count=count, offset=offset, limit=limit)

    async def explain_problem(self, code: str | None = None) -> str:
        """Say what a problem's code means, with a graph that has it and one that has not; without a code, list all."""
        return await self._told("explain_problem", code=code)

    async def suggest_fix(self, graph: Graph, layer: str | None = None, code: str | None = None) -> str:
        """Suggest fixes for the problems of a graph, each tried before, with the actions that make them.

        With layer or code only for the problems there.
        """
        return await self._told("suggest_fix", graph=graph, layer=layer, code=code)

    async def _told(self, tool: str, **given: Any) -> str:
        from mcp.server.mcpserver.exceptions import ToolError

        answer = await self._crew.do(tool, encoded({key: value for key, value in given.items() if value is not None}))
        if answer.status != 200:
            raise ToolError(answer.body.decode())
        return answer.body.decode()
