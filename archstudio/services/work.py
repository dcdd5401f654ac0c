"""The work behind the endpoints, from bytes to bytes, so that it can be done here or in a process that can be ended."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from archstudio.bench.grade import Submission
from archstudio.bench.three_verdicts import judge_model
from archstudio.edits.plain import to_plain
from archstudio.graph import Graph
from archstudio.services.environment import Environment, Turn, graded, started, stepped, task_named, turn_of
from archstudio.services.graphs import graph_of
from archstudio.services.requests import BadRequest, read_body, text_of
from archstudio.services.tools import TOOLS
from archstudio.services.verdict_record import check_record


class Answer(NamedTuple):
    """An HTTP status and a body of JSON."""

    status: int
    body: bytes


def encoded(value: Any) -> bytes:
    """Compact JSON; infinite numbers are an error of ours."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def refused(bad: BadRequest) -> Answer:
    """The answer to a request that is not carried out."""
    return Answer(bad.status, encoded(bad.as_json()))


def do(name: str, environment: Environment, body: bytes) -> Answer:
    """Do one piece of work; a bad request is an answer, too."""
    try:
        return Answer(200, WORK[name](environment, body))
    except BadRequest as bad:
        return refused(bad)
    except RecursionError:
        return refused(BadRequest("The request is nested too deeply."))


def _grade(environment: Environment, body: bytes) -> bytes:
    return encoded(graded(environment, read_body(body)))


def _check(environment: Environment, body: bytes) -> bytes:
    given = read_body(body)
    wrapped = "graph" in given and "components" not in given
    graph = graph_of(given["graph"] if wrapped else given)
    record = check_record(graph)
    task_id = given.get("taskId") if wrapped else None
    if task_id is not None:
        record["task"] = _task_record(environment, text_of(task_id, "taskId"), graph)
    return encoded(plain(record))


def _task_record(environment: Environment, task_id: str, graph: Graph) -> dict[str, Any]:
    """The grade of a finished graph on a curated task, with the two other verdicts."""
    task = environment.task(task_named({"taskId": task_id}))
    made = judge_model(task, to_plain(graph), Submission())
    return {
        "id": task.id,
        "pass": made.passes_rubric,
        "failures": [failure.text for failure in made.grade.failures],
        "doesTheBrief": made.does_the_brief,
        "brief": [{"text": f.text, "holds": f.holds, "value": f.value} for f in made.facts],
        "passesAllThree": made.passes_all,
    }


def _start(environment: Environment, body: bytes) -> bytes:
    """The first state of an episode."""
    turn, record = started(environment, read_body(body))
    return encoded({"state": _state(turn), "record": record})


def _step(environment: Environment, payload: bytes) -> bytes:
    """One turn of an episode whose state came along."""
    given = json.loads(payload)
    after, record = stepped(environment, turn_of(given["state"]), given["actions"])
    return encoded({"state": None if after is None else _state(after), "record": record})


def _state(turn: Turn) -> str:
    """An episode's state as text in text, so that who keeps it need not read it."""
    return json.dumps(turn.as_json(), separators=(",", ":"))


def plain(value: Any) -> Any:
    """The value with null for numbers that JSON has not, lists for tuples, and text for anything unforeseen."""
    if isinstance(value, float):
        return value if abs(value) < float("inf") else None
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _tool(tool: Callable[[Environment, dict[str, Any]], dict[str, Any]]) -> Callable[[Environment, bytes], bytes]:
    return lambda environment, body: encoded(plain(tool(environment, read_body(body))))


WORK: Final[Mapping[str, Callable[[Environment, bytes], bytes]]] = {
    "grade": _grade,
    "check": _check,
    "start": _start,
    "step": _step,
    **{name: _tool(tool) for name, tool in TOOLS.items()},
}
