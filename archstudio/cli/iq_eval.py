"""`archstudio iq eval` and `iq compare`: a language model answers questions, and two runs are laid side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from archstudio.cli import model_options as options
from archstudio.cli.output import FINE, PROBLEMS, Unusable, console, say_json
from archstudio.intuition.evaluate.compare import NothingInCommon, compared
from archstudio.intuition.evaluate.items import Item, read_items
from archstudio.intuition.evaluate.protocols import ask_all
from archstudio.intuition.evaluate.run_folder import (
    EvalFolder,
    EvalSettings,
    RunExists,
    digest_of,
    read_scored,
    scored,
)
from archstudio.intuition.evaluate.scores import Scored, order_check, summary
from archstudio.intuition.evaluate.talk import PROTOCOLS, Answered, Examinee, Protocol

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("eval")(eval_)
    app.command("compare")(compare_)


def eval_(
    questions: Annotated[Path, typer.Argument(help="A run of questions, a folder with runs below it, or a pack.")],
    model: options.ModelOption = None,
    base_url: options.BaseUrlOption = None,
    key_variable: options.KeyVariableOption = options.DEFAULT_KEY_VARIABLE,
    protocol: Annotated[
        str, typer.Option(help="'blind': each question alone; 'sequential': each is told what came of those before.")
    ] = "blind",
    order_swap: Annotated[
        bool, typer.Option("--order-swap", help="Ask every question again with its choices in another order.")
    ] = False,
    key: Annotated[Path | None, typer.Option("--key", help="The key file of a blind pack.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Ask only the first so many.")] = None,
    run_dir: Annotated[Path | None, typer.Option(help="The run's folder; by default a new one in llm_runs.")] = None,
    resume: options.ResumeOption = False,
    workers: options.WorkersOption = 4,
    temperature: options.TemperatureOption = None,
    max_tokens: options.MaxTokensOption = 16_384,
    token_limit_name: options.TokenLimitOption = "max_tokens",
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds a service may be silent.")] = 120.0,
    attempts: options.AttemptsOption = 6,
    price_in: options.PriceInOption = None,
    price_out: options.PriceOutOption = None,
    currency: options.CurrencyOption = "USD",
    as_json: JsonOption = False,
) -> None:
    """Let a language model answer questions. Exit 1 if any got no reply; --resume then asks those again."""
    if not model:
        raise Unusable("eval needs a --model.")
    items = read_items(questions.absolute(), key)[:limit]
    again = _moved(items, _protocol(protocol)) if order_swap else []
    sampling = options.sampling_of(temperature, max_tokens, token_limit_name)
    settings = EvalSettings(model, _protocol(protocol), sampling, digest_of(items), order_swap)
    folder = _open(run_dir, settings, resume)
    asked = options.Asked(base_url, key_variable, attempts, timeout, price_in, price_out, currency)
    with options.asker_of(asked, folder.replies) as asker:
        examinee = Examinee(asker, model, sampling)
        made = _asked(folder, items, examinee, settings.protocol, workers, quiet=as_json)
        moved = _asked(folder, again, examinee, settings.protocol, workers, moved=True, quiet=as_json)
        told = summary([scored(one) for one in made])
        if order_swap:
            told["order_check"] = order_check([scored(one) for one in made], [scored(one) for one in moved])
        record = folder.finish(told, asker.ledger.as_json())
        used = asker.ledger.text()
    if as_json:
        say_json("archstudio.iq.eval/1", {"folder": str(folder.folder), **record})
    else:
        _show(told, used, folder.folder)
    raise typer.Exit(PROBLEMS if any(one.fault is not None for one in [*made, *moved]) else FINE)


def _protocol(name: str) -> Protocol:
    if name not in PROTOCOLS:
        raise Unusable(f"--protocol {name}: choose one of {', '.join(PROTOCOLS)}.")
    return name


def _moved(items: Sequence[Item], protocol: Protocol) -> list[Item]:
    if protocol != "blind":
        raise Unusable("--order-swap belongs to the blind protocol: in a sequence the answers given before would tell.")
    try:
        return [item.moved() for item in items]
    except ValueError as reason:
        raise Unusable(str(reason)) from None


def _open(run_dir: Path | None, settings: EvalSettings, resume: bool) -> EvalFolder:
    if run_dir is None:
        if resume:
            raise Unusable("--resume goes on in a folder: name it with --run-dir.")
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        slug = re.sub(r"[^A-Za-z0-9.-]+", "_", settings.model)[:60]
        run_dir = Path("llm_runs") / f"{stamp}_{slug}"
    try:
        return EvalFolder(run_dir, settings, resume=resume)
    except RunExists as reason:
        raise Unusable(str(reason)) from None


def _asked(
    folder: EvalFolder,
    items: Sequence[Item],
    examinee: Examinee,
    protocol: Protocol,
    workers: int,
    *,
    moved: bool = False,
    quiet: bool,
) -> list[Answered]:
    """The answers in the order of the questions, each kept as soon as it is there."""
    made: dict[str, Answered] = {}
    for one in ask_all(items, examinee, protocol, workers):
        folder.keep(one, moved=moved)
        made[one.item.id] = one
        if not quiet:
            said = one.fault or f"{one.letter or 'no letter'}, {'right' if one.right else 'wrong'}"
            console.print(f"{len(made)}/{len(items)} {one.item.id}{' moved' * moved}  {said}", markup=False)
    return [made[item.id] for item in items]


def _show(told: dict[str, Any], used: str, folder: Path) -> None:
    console.print(f"\nRight: {_share(told['accuracy'])}; chance {_percent(told['chance'])}")
    missing = f"{told['unparsed']} without a letter count as wrong"
    console.print(f"Of those with a letter: {_share(told['accuracy_of_parsed'])}; {missing}")
    for title, group in (("family", told["by_family"]), ("type", told["by_type"])):
        for name, row in group.items():
            console.print(f"  {title} {name}: {_share(row)}; chance {_percent(row['chance'])}", markup=False)
    check = told.get("order_check")
    if check is not None:
        console.print(f"Choices in another order: the same candidate {_share(check['same_candidate'])}")
        console.print(f"  right then {_share(check['accuracy_moved'])}; both times {_share(check['right_in_both'])}")
    console.print(f"Asked: {used}", markup=False)
    console.print(f"Kept in {folder}; 'archstudio iq compare' lays two runs side by side.", markup=False)


def compare_(
    first: Annotated[Path, typer.Argument(help="A run's folder.")],
    second: Annotated[Path, typer.Argument(help="Another run's folder.")],
    as_json: JsonOption = False,
) -> None:
    """Compare two runs on the questions they share: agreement, flips, and the paired difference with its interval."""
    try:
        told = compared(_rows(first), _rows(second))
    except NothingInCommon as reason:
        raise Unusable(str(reason)) from None
    if as_json:
        say_json("archstudio.iq.compare/1", {"runs": [str(first), str(second)], **told})
        return
    console.print(f"{told['questions']} questions in common; the same letter {_share(told['agreement'])}")
    for name, key in ((first, "first"), (second, "second")):
        console.print(f"{name}: {_share(told[key])}", markup=False)
    console.print(_difference("Second minus first", told))
    for family, row in told["by_family"].items():
        console.print(_difference(f"  {family}", row), markup=False)
    for flip in told["flips"]:
        letters = f"{flip['first'] or '–'} → {flip['second'] or '–'}, right {flip['right']}"
        console.print(f"{flip['question_id']} ({flip['family']}): {letters}", markup=False)


def _rows(folder: Path) -> list[Scored]:
    return read_scored(folder.absolute())


def _difference(title: str, row: dict[str, Any]) -> str:
    points = f"{100 * row['difference']:+.1f} points ({100 * row['low']:+.1f} to {100 * row['high']:+.1f})"
    flips = f"{row['wrong_to_right']} became right, {row['right_to_wrong']} wrong"
    return f"{title}: {points}; {flips}; p = {row['p']:.3g} (exact sign test, n = {row['n']})"


def _share(row: dict[str, Any]) -> str:
    if not row["n"]:
        return "none"
    return f"{row['right']} of {row['n']}, {_percent(row['share'])} ({_percent(row['low'])} to {_percent(row['high'])})"


def _percent(value: float | None) -> str:
    return "unknown" if value is None else f"{100 * value:.1f} %"
