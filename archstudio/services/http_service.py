"""The HTTP service: the benchmark's environment, the verdict on a graph, and a page that describes both."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import archstudio
from archstudio.bench.generate import Tier
from archstudio.services import openapi
from archstudio.services.crew import Crew
from archstudio.services.docs_page import POLICY, docs_page
from archstudio.services.environment import Environment, TooFar
from archstudio.services.episodes import Episodes, State
from archstudio.services.extras import MissingExtra
from archstudio.services.guard import Access, App, Guard
from archstudio.services.limits import DEFAULT_LIMITS, LARGEST_SEED, MOST_TASKS, ServiceLimits
from archstudio.services.requests import BadRequest, actions_of, query_number, read_body, split_of, text_of
from archstudio.services.work import Answer, do, encoded, refused

if TYPE_CHECKING:
    from fastapi import FastAPI, Request, Response

    Endpoint: TypeAlias = Callable[[Request], Coroutine[Any, Any, Response]]

_TASKS_A_PIECE: Final = 16
_DRAWN_INLINE: Final = 500
_ABOUT: Final = "Arch-Bench tasks and grades, and what PyTorch would say of a network. No submitted code is ever run."


@dataclass(frozen=True)
class ServiceSettings:
    """What one process of the service is made with; `episodes` is the file that all processes share."""

    episodes: Path
    access: Access = field(default_factory=Access)
    limits: ServiceLimits = DEFAULT_LIMITS


def create_app(settings: ServiceSettings) -> App:
    """The ASGI application, guarded. Raises MissingExtra."""
    try:
        from fastapi import FastAPI
    except ImportError:
        raise MissingExtra("serve") from None
    limits = settings.limits
    service = _Service(
        limits,
        Environment(most_draws=_DRAWN_INLINE),
        Episodes(settings.episodes, limits.episodes, limits.episode_bytes),
        Crew(limits),
    )

    @asynccontextmanager
    async def lifespan(_: "FastAPI") -> AsyncIterator[None]:
        yield
        service.close()

    app = FastAPI(
        title="Arch Studio",
        version=archstudio.__version__,
        description=_ABOUT,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    _add_routes(app, service)
    _add_faults(app)
    return Guard(app, settings.access, limits)


class _Service:
    """The endpoints. What is small is done here at once; what is not goes to the crew."""

    def __init__(self, limits: ServiceLimits, environment: Environment, episodes: Episodes, crew: Crew) -> None:
        from fastapi import Response
        from fastapi.responses import StreamingResponse

        self._limits, self._environment, self._episodes, self._crew = limits, environment, episodes, crew
        self._response, self._streaming = Response, StreamingResponse

    def close(self) -> None:
        self._crew.close()
        self._episodes.close()

    async def health(self, _: "Request") -> "Response":
        """Say that the service is there."""
        return self._json(Answer(200, encoded({"ok": True, "benchmark": 1})))

    async def check(self, request: "Request") -> "Response":
        """Say what PyTorch would say of a graph: shapes, problems with fixes, parameters; and the rubric's score.

        The body is the graph, or {"graph": …, "taskId": …} to grade it on a curated task as well.
        """
        return self._json(await self._crew.do("check", await request.body()))

    async def grade(self, request: "Request") -> "Response":
        """Apply actions to a task's starting graph and grade the result; with "verdicts": true in all three ways."""
        return self._json(await self._done("grade", await request.body()))

    async def tasks(self, request: "Request") -> "Response":
        """List the tasks of a split, as a stream."""
        asked = request.query_params
        tier = split_of(asked.get("split"))
        seed = query_number(asked.get("seed"), "seed", 0, LARGEST_SEED, 1)
        count = query_number(asked.get("count"), "count", 1, MOST_TASKS, 256)
        return self._streaming(self._rows(tier, seed, count), media_type="application/json")

    async def _rows(self, tier: Tier | None, seed: int, count: int) -> AsyncIterator[bytes]:
        rows: list[str] = []
        before = "["
        for row in self._environment.tasks(tier, seed, count):
            rows.append(json.dumps(row, ensure_ascii=False, separators=(",", ":")))
            if len(rows) == _TASKS_A_PIECE:
                yield (before + ",".join(rows)).encode()
                rows, before = [], ","
                await asyncio.sleep(0)
        yield ((before if rows else "") + ",".join(rows) + "]").encode()

    async def start(self, request: "Request") -> "Response":
        """Begin an episode on a task: up to `maxTurns` turns, each with feedback."""
        answer = await self._done("start", await request.body())
        if answer.status != 200:
            return self._json(answer)
        given = json.loads(answer.body)
        episode_id = self._episodes.begin(State(0, given["state"]))
        return self._json(Answer(200, encoded({"episodeId": episode_id, **given["record"]})))

    async def step(self, request: "Request") -> "Response":
        """Take a turn of an episode: apply actions, hear the grade and what fails. A pass or the last turn ends it."""
        body = read_body(await request.body())
        episode_id, actions = text_of(body.get("episodeId"), "episodeId"), actions_of(body)
        state = self._episodes.get(episode_id)
        answer = await self._done("step", f'{{"state":{state.text},"actions":{json.dumps(actions)}}}'.encode())
        if answer.status != 200:
            return self._json(answer)
        given = json.loads(answer.body)
        record, after = given["record"], given["state"]
        self._episodes.keep(episode_id, state.turn, None if after is None else State(record["turn"], after))
        return self._json(Answer(200, encoded(record)))

    async def _done(self, name: str, body: bytes) -> Answer:
        answer = self._inline(name, body) if len(body) <= self._limits.inline_bytes else None
        return answer or await self._crew.do(name, body)

    def _inline(self, name: str, body: bytes) -> Answer | None:
        """The answer, or None where the task is too far to be looked for here."""
        try:
            return do(name, self._environment, body)
        except TooFar:
            return None

    def _json(self, answer: Answer) -> "Response":
        return self._response(answer.body, answer.status, media_type="application/json")


def _add_routes(app: "FastAPI", service: _Service) -> None:
    """The endpoints with their descriptions; the two pages that describe them."""
    from fastapi import Request, Response
    from fastapi.responses import HTMLResponse

    def routed(endpoint: "Endpoint") -> "Endpoint":
        async def answer(request: Request) -> Response:  # FastAPI wants to see the classes themselves
            return await endpoint(request)

        answer.__name__, answer.__doc__ = endpoint.__name__, endpoint.__doc__
        return answer

    rows = (
        ("/health", "GET", service.health, openapi.HEALTH),
        ("/api/v1/check", "POST", service.check, openapi.CHECK),
        ("/tasks", "GET", service.tasks, openapi.TASKS),
        ("/grade", "POST", service.grade, openapi.GRADE),
        ("/episode/start", "POST", service.start, openapi.START),
        ("/episode/step", "POST", service.step, openapi.STEP),
    )
    for path, method, endpoint, described in rows:
        app.add_api_route(path, routed(endpoint), methods=[method], openapi_extra=described, response_class=Response)

    @app.get("/", include_in_schema=False)
    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return HTMLResponse(docs_page(app.openapi()), headers={"content-security-policy": POLICY})


def _add_faults(app: "FastAPI") -> None:
    """Every fault is an object with `error`; what is our own is in the log and says no more than that."""
    from fastapi import Request, Response
    from starlette.exceptions import HTTPException

    def answered(answer: Answer) -> Response:
        return Response(answer.body, answer.status, media_type="application/json")

    @app.exception_handler(BadRequest)
    async def bad_request(_: Request, bad: BadRequest) -> Response:
        return answered(refused(bad))

    @app.exception_handler(HTTPException)
    async def http_fault(_: Request, fault: HTTPException) -> Response:
        return answered(refused(BadRequest(f"{fault.detail}.", status=fault.status_code)))

    @app.exception_handler(Exception)
    async def our_fault(_: Request, fault: Exception) -> Response:
        logging.getLogger("archstudio").error("a request failed", exc_info=fault)
        return answered(refused(BadRequest("An error of the service itself; its log has the details.", status=500)))
