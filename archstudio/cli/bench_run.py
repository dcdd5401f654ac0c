"""`archstudio bench run`: a policy, a command or a language model answers a suite of tasks."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import which
from typing import Annotated, Any

import typer

from archstudio.bench.brief import AnyTask
from archstudio.bench.observation import observe
from archstudio.bench.policies import POLICIES
from archstudio.bench.results.outcomes import Outcome, Setting, repeats
from archstudio.bench.results.tables import repeats_record
from archstudio.bench.run import (
    Answerer,
    BuiltIn,
    Command,
    Conversation,
    Episode,
    LanguageModel,
    OtherRun,
    RunFile,
    RunSettings,
    play,
)
from archstudio.bench.run.record import result_line
from archstudio.bench.task_files import FiledTask, read_tasks
from archstudio.bench.tasks import curated_tasks
from archstudio.cli import model_options as options
from archstudio.cli.output import FINE, PROBLEMS, Unusable, complain, console, say_json
from archstudio.files.atomic import saving
from archstudio.llm import Asker, in_threads
from archstudio.stats import wilson

CURATED = "curated"
MODEL = "llm"
Answering = Callable[[int], Answerer]
"""Who answers a task, by the number of the try."""


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("run")(run_)


def run_(
    policy: Annotated[
        str, typer.Option(help=f"One of {', '.join(POLICIES)}, '{MODEL}' for a language model, or a command line.")
    ],
    suite: Annotated[str, typer.Option(help="'curated', or a file of tasks.")] = CURATED,
    rounds: Annotated[int, typer.Option(min=1, max=16, help="Replies a task; from the second on with feedback.")] = 1,
    audits: Annotated[int, typer.Option(min=0, max=64, help="Dry runs a task, for replies with 'audit': true.")] = 0,
    tries: Annotated[int, typer.Option(min=1, max=64, help="How often each task is tried, for pass@k.")] = 1,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds a command or a service may be silent.")] = 120.0,
    out: Annotated[Path | None, typer.Option(help="Keep rounds and results as JSON lines; goes on in it.")] = None,
    traces: Annotated[Path | None, typer.Option(help="Append conversations with a model as JSON lines.")] = None,
    workers: options.WorkersOption = 1,
    model: options.ModelOption = None,
    base_url: options.BaseUrlOption = None,
    key_variable: options.KeyVariableOption = options.DEFAULT_KEY_VARIABLE,
    resume: options.ResumeOption = False,
    tools: Annotated[bool, typer.Option("--tools", help="Offer a model dry run and submission as functions.")] = False,
    temperature: options.TemperatureOption = None,
    max_tokens: options.MaxTokensOption = None,
    token_limit_name: options.TokenLimitOption = "max_tokens",
    attempts: options.AttemptsOption = 6,
    price_in: options.PriceInOption = None,
    price_out: options.PriceOutOption = None,
    currency: options.CurrencyOption = "USD",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Let a policy answer tasks. Exit 1 if no task got any reply.

    A command is started for every reply. On its standard input it gets a JSON object: taskId, task (the brief),
    observation (the graph as text), round, rounds, feedback (what failed before), auditsLeft, and audit (what the dry
    run just asked for said, or null). On its standard output it prints its reply: any text that holds a JSON object
    with the list 'actions', and 'audit': true where it is only a dry run.

    A language model ('llm') is asked over the OpenAI protocol; the key comes from the environment. With --out its
    replies are kept beside the run, in OUT.replies.jsonl.
    """
    if not policy.strip():
        raise Unusable("--policy is empty; name a policy or a command.")
    _check_model_options(policy, model, out, resume, traces)
    settings = RunSettings(policy, suite_name(suite), rounds, audits, timeout, tries)
    with ExitStack() as stack:
        asker: Asker | None = None
        answering = answering_of(policy, timeout)
        if policy == MODEL and model is not None:
            asked = options.Asked(base_url, key_variable, attempts, timeout, price_in, price_out, currency)
            replies = None if out is None else out.with_name(out.name + ".replies.jsonl")
            asker = stack.enter_context(options.asker_of(asked, replies))
            sampling = options.sampling_of(temperature, max_tokens, token_limit_name)
            player = LanguageModel(asker, model, sampling, with_tools=tools)
            settings, answering = replace(settings, policy=model, model=player.settings()), player.conversation
        run = _Run(settings, answering, _kept(out, settings), traces, quiet=as_json)
        results = list(run.results(tasks_of(suite), workers))
    summary = _summary(results, settings, asker)
    if as_json:
        say_json("archstudio.bench-run-summary/1", {**summary, "before": run.before, "results": results})
    else:
        _show(summary, run.before, out, asker)
    failed = bool(results) and all(result["status"] == "ERROR" for result in results)
    raise typer.Exit(PROBLEMS if failed else FINE)


def _check_model_options(policy: str, model: str | None, out: Path | None, resume: bool, traces: Path | None) -> None:
    if policy == MODEL:
        if not model:
            raise Unusable("--policy llm needs a --model.")
        if resume and out is None:
            raise Unusable("--resume goes on in a file: name it with --out.")
        if not resume and out is not None and out.exists() and out.stat().st_size:
            raise Unusable(f"{out} exists. Add --resume to go on in it, or choose another file.")
    elif model is not None or traces is not None:
        raise Unusable(f"--model and --traces belong to --policy {MODEL}.")


def _kept(out: Path | None, settings: RunSettings) -> RunFile | None:
    try:
        return None if out is None else RunFile(out, settings)
    except OtherRun as other:
        raise Unusable(str(other)) from None


@dataclass(frozen=True)
class _Run:
    """Tasks being answered, each `settings.tries` times; files are written by whoever iterates over the results."""

    settings: RunSettings
    answering: Answering
    kept: RunFile | None
    traces: Path | None
    quiet: bool

    @property
    def before(self) -> int:
        """How many tries were done before."""
        return 0 if self.kept is None else len(self.kept.done)

    def results(self, tasks: Iterator[AnyTask], workers: int) -> Iterator[dict[str, Any]]:
        """The result of every try that was not done before."""
        done = self.kept.done if self.kept is not None else frozenset()
        tries = range(1, self.settings.tries + 1)
        wanted = ((task, n) for task in tasks for n in tries if (task.id, n) not in done)
        for episode, answerer, number in in_threads(self._played, wanted, workers):
            result = result_line(episode, number) if self.kept is None else self.kept.keep(episode, number)
            if self.traces is not None and isinstance(answerer, Conversation):
                _append(self.traces, answerer.trace(episode.task, observe(episode.task.model()), episode.passed))
            if not self.quiet:
                why = "; ".join(result["failures"][:2])
                again = f" (try {number})" if self.settings.tries > 1 else ""
                console.print(f"{episode.task.id}{again}  {result['status']}  {why}".rstrip(), markup=False)
            yield result

    def _played(self, wanted: tuple[AnyTask, int]) -> tuple[Episode, Answerer, int]:
        task, number = wanted
        answerer = self.answering(number)
        return play(task, answerer, self.settings.rounds, self.settings.audits), answerer, number


def _append(path: Path, line: dict[str, Any]) -> None:
    with saving(path), path.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(line, ensure_ascii=False) + "\n")


def answering_of(policy: str, timeout: float) -> Answering:
    """Who a policy or a command line is; Unusable if it is neither."""
    built_in = POLICIES.get(policy)
    if built_in is not None:
        return lambda _: BuiltIn(built_in)
    try:
        arguments = shlex.split(policy)
    except ValueError as error:
        raise Unusable(f"--policy {policy!r} is no command line: {error}.") from None
    if policy != MODEL and which(arguments[0]) is None:
        known = ", ".join((*POLICIES, MODEL))
        raise Unusable(f"--policy {arguments[0]}: is no policy ({known}), and no program of that name can be started.")
    return lambda _: Command(arguments, timeout)


def suite_name(suite: str) -> str:
    """The name of a suite; a file's with the start of its digest, so that another content is another suite."""
    if suite == CURATED:
        return suite
    path = Path(suite)
    if not path.is_file():
        raise Unusable(f"There is no suite {suite!r}. Name a file of tasks, or 'curated'.")
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return f"{path.name} {digest[:12]}"


def tasks_of(suite: str) -> Iterator[AnyTask]:
    """The tasks of a suite, as they are read; rows that are none are told on standard error."""
    if suite == CURATED:
        yield from curated_tasks()
        return
    for row in read_tasks(Path(suite)):
        if isinstance(row, FiledTask):
            yield row
        else:
            complain(f"{suite}, {row.place}: left out: {row.reason}")


def _summary(results: list[dict[str, Any]], settings: RunSettings, asker: Asker | None) -> dict[str, Any]:
    passed = sum(result["status"] == "PASS" for result in results)
    setting = Setting(settings.policy, "", settings.suite)
    tries = [Outcome(setting, result["taskId"], result["status"] == "PASS") for result in results]
    return {
        "tasks": len(results),
        "passed": passed,
        "interval": list(wilson(passed, len(results))),
        "passedAtRound1": sum(result["passAtRound1"] for result in results),
        "passedAllThree": sum(result["passesAllThree"] for result in results),
        "errors": sum(result["status"] == "ERROR" for result in results),
        **({} if settings.tries == 1 else {"severalTries": [repeats_record(row) for row in repeats(tries)]}),
        **({} if asker is None else {"ledger": asker.ledger.as_json()}),
    }


def _show(told: dict[str, Any], before: int, out: Path | None, asker: Asker | None) -> None:
    low, high = told["interval"]
    earlier = f" ({before} more were done before)" if before else ""
    console.print(
        f"\nRubric: {told['passed']} of {told['tasks']} pass, 95 % interval {100 * low:.0f}–{100 * high:.0f} %{earlier}"
    )
    console.print(f"All three verdicts: {told['passedAllThree']} of {told['tasks']}; without reply: {told['errors']}")
    for row in told.get("severalTries", []):
        any_of, all_of = 100 * row["passAtK"], 100 * row["passEveryK"]
        console.print(f"pass@{row['k']} {any_of:.0f} %, all {row['k']} pass {all_of:.0f} % ({row['tasks']} tasks)")
    if asker is not None:
        console.print(f"Asked: {asker.ledger.text()}", markup=False)
    if out is not None:
        console.print(f"Kept in {out}; 'archstudio bench results {out}' reads it.", markup=False)
