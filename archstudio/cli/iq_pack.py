"""`archstudio iq pack`: make, look at, check, split, join and open packs of questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from archstudio.cli import iq_pack_build
from archstudio.cli.output import FINE, PROBLEMS, Unusable, console, say_json
from archstudio.files.atomic import save_atomic
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.datasets.folder import open_dataset
from archstudio.intuition.packs.bake import CONTAINS_ANSWERS, BakeFile, bake_bytes, read_bake
from archstudio.intuition.packs.export import bake, load_questions
from archstudio.intuition.packs.given import read_given
from archstudio.intuition.packs.leaks import Check, check_pack
from archstudio.intuition.packs.make import make_pack, save_pack
from archstudio.intuition.packs.pack import NO_LICENCE, SUFFIX, QuestionPack
from archstudio.intuition.packs.read import read_pack
from archstudio.intuition.packs.split import By, CannotSplit, join_packs, split_pack
from archstudio.intuition.packs.unfold import NEEDS_KEY, baked
from archstudio.intuition.questions.record import RUN_FILE
from archstudio.intuition.questions.scoring import score_letters

app = typer.Typer(
    help="Packs of questions: what a taker sees, and the key apart. Sealed means not readable without altering the "
    "program; a blind pack holds no key.",
    no_args_is_help=True,
)
iq_pack_build.register(app)

PackArgument = Annotated[Path, typer.Argument(metavar="PACK", help="A pack: a folder with pack.json, or one file.")]
KeyOption = Annotated[Path | None, typer.Option("--key", help="The key file of a blind pack.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="The order of questions follows from it.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def register(parent: typer.Typer) -> None:
    """Add the commands of this module, under one name."""
    parent.add_typer(app, name="pack")


@app.command()
def make(
    out: Annotated[Path, typer.Argument(help=f"The pack to write: a name with {SUFFIX} is one file, else a folder.")],
    questions: Annotated[list[Path], typer.Argument(help="Runs of questions, or BakeFiles.")],
    title: Annotated[str, typer.Option(help="Title of the pack.")] = "ArchitectureIQ questions",
    blind: Annotated[bool, typer.Option("--blind", help="Hold no key; it goes into a file of its own.")] = False,
    seed: SeedOption = 0,
    licence: Annotated[str, typer.Option(help="Under which the pack is given away.")] = NO_LICENCE,
    key: Annotated[Path | None, typer.Option("--key", help="Where the key of a blind pack goes.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Make a pack of questions. The same questions and seed give the same bytes."""
    if key is not None and not blind:
        raise Unusable("--key says where the key of a --blind pack goes; a sealed pack holds its own.")
    bakes = [one for place in questions for one in _bakes(place.absolute())]
    _written([(make_pack(bakes, title=title, seed=seed, blind=blind, licence=licence), out)], key, as_json)


def _bakes(place: Path) -> Iterator[BakeFile]:
    """The questions of a run, of all runs below a folder, or of a BakeFile."""
    if place.is_file():
        yield read_bake(place)
        return
    runs = [place] if (place / RUN_FILE).is_file() else sorted(found.parent for found in place.rglob(RUN_FILE))
    if not runs:
        raise Unusable(f"{place}: there is no finished run of questions in it; such a folder holds {RUN_FILE}.")
    for run in runs:
        dataset = open_dataset(run.parents[1])
        yield bake(load_questions(run, dataset), dataset, title="")


@app.command()
def show(pack: PackArgument, key: KeyOption = None, as_json: JsonOption = False) -> None:
    """Show what a pack holds. Every digest is checked on the way; no answer is printed."""
    made = read_pack(pack, key=key)
    if as_json:
        rows = [_row(made, place) for place in range(len(made.questions))]
        say_json("archstudio.iq.pack-show/1", {"pack": made.manifest.as_json(), "questions": rows})
        return
    for label, value in _described(made):
        console.print(f"{label + ':':<11}{value}", markup=False)
    for place in range(len(made.questions)):
        row = _row(made, place)
        told = f"{row['family']}  {row['type']}  {row['choices']} choices  {row['metric']}"
        console.print(f"{place + 1:>4}  {row['id']}  {told}", markup=False)


def _described(pack: QuestionPack) -> list[tuple[str, str]]:
    manifest = pack.manifest
    answers = {"sealed": "sealed; readable to whoever alters the program", "apart": "none in the pack"}
    return [
        ("Pack", f"{manifest.id}, {manifest.title}"),
        ("Questions", f"{manifest.n}: {', '.join(f'{name} {n}' for name, n in manifest.families.items())}"),
        ("Profiles", ", ".join(f"{profile.name} {profile.hash}" for profile in manifest.profiles)),
        ("Answers", answers[manifest.key]),
        ("Licence", manifest.licence),
    ]


def _row(pack: QuestionPack, place: int) -> dict[str, Any]:
    asked = pack.questions[place]
    named = {"id": asked.id, "family": asked.family, "type": asked.type, "metric": asked.metric}
    return {**named, "choices": len(asked.choices)}


@app.command()
def check(pack: PackArgument, key: KeyOption = None, as_json: JsonOption = False) -> None:
    """Check structure and digests, and look for what would tell the answers. Exit 1 if anything does."""
    made = read_pack(pack, key=key)
    checks = check_pack(made)
    holds = all(one.holds is not False for one in checks)
    if as_json:
        rows = [{"name": one.name, "holds": one.holds, "told": one.told} for one in checks]
        say_json("archstudio.iq.pack-check/1", {"id": made.manifest.id, "holds": holds, "checks": rows})
    else:
        structure = Check("structure", True, f"{made.manifest.n} questions; digests, ids and answers agree")
        for one in (structure, *checks):
            console.print(f"{_verdict(one.holds):<12}{one.name:<23}{one.told}", markup=False)
    raise typer.Exit(FINE if holds else PROBLEMS)


def _verdict(holds: bool | None) -> str:
    return "not checked" if holds is None else "holds" if holds else "FAILS"


@app.command()
def split(
    pack: PackArgument,
    by: Annotated[str, typer.Option("--by", help="candidate or dataset: what no two parts may share.")],
    parts: Annotated[str, typer.Option("--parts", help="The shares, such as 0.8,0.2.")] = "0.8,0.2",
    seed: SeedOption = 0,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Default: the pack's name, with -1, -2, …")] = None,
    key: KeyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Split a pack into parts that share no candidate, or no data set. Says which questions had to be dropped."""
    if by not in ("candidate", "dataset"):
        raise Unusable(f"--by {by}: choose candidate or dataset.")
    try:
        made = split_pack(read_pack(pack, key=key), cast(By, by), _shares(parts), seed)
    except CannotSplit as reason:
        raise Unusable(str(reason)) from None
    base = out or pack
    names = [base.with_name(f"{base.stem}-{number}{base.suffix}") for number in range(1, len(made.packs) + 1)]
    told = f"{len(made.dropped)} questions are in no part, since they share a {by} with two or found no room"
    _written(list(zip(made.packs, names, strict=True)), None, as_json, dropped=made.dropped, told=told)


def _shares(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise Unusable(f"--parts {text}: write shares with commas between, such as 0.8,0.2.") from None


@app.command()
def join(
    packs: Annotated[list[Path], typer.Argument(metavar="PACK… OUT", help="Packs, and last the collection to write.")],
    title: Annotated[str | None, typer.Option(help="Title of the collection.")] = None,
    seed: SeedOption = 0,
    keys: Annotated[list[Path] | None, typer.Option("--key", help="Key files of blind packs, in their order.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Join packs into a collection; a question that several hold is in it once. It is blind if one of them is."""
    *sources, out = packs
    if not sources:
        raise Unusable("name the packs, and last the collection to write.")
    opened, left = [], list(keys or ())
    for source in sources:
        pack = read_pack(source)
        opened.append(read_pack(source, key=left.pop(0)) if pack.blind and left else pack)
    name = title or " and ".join(pack.manifest.title for pack in opened)
    made = join_packs(opened, title=name, seed=seed)
    told = f"{len(made.repeated)} questions were in several packs and are in it once"
    _written([(made.pack, out)], None, as_json, dropped=made.repeated, told=told)


@app.command("open")
def open_(
    pack: PackArgument,
    out: Annotated[Path, typer.Argument(help="The BakeFile to write.")],
    key: KeyOption = None,
) -> None:
    """Write a pack as a BakeFile, answers included."""
    made = read_pack(pack, key=key)
    content = bake_bytes(baked(made))
    _free(out)
    save_atomic(out, content, backups=0)
    console.print(f"{made.manifest.n} questions in {out}. {CONTAINS_ANSWERS}", markup=False)


@app.command()
def score(
    pack: PackArgument,
    answers: Annotated[Path, typer.Argument(help="A session's exported answers, or letters by question id.")],
    key: KeyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score answers to a pack. Questions without an answer count as wrong, and so do answers that are no letter."""
    made = read_pack(pack, key=key)
    if made.answers is None:
        raise UnusableFile(pack.name, problem="It holds no answers", remedy=NEEDS_KEY)
    given = read_given(answers, made)
    right = {name: answer.correct for name, answer in made.answers.items()}
    rows = [_row(made, place) | _scored(made.questions[place].id, given, right) for place in range(len(made.questions))]
    found = score_letters(right, {question.id: question.letters for question in made.questions}, given)
    total, chance = found.overall.as_json(), sum(1 / row["choices"] for row in rows) / len(rows)
    if as_json:
        figures = {"id": made.manifest.id, "answered": found.answered, "accuracy": total, "chance": chance}
        say_json("archstudio.iq.pack-score/1", {**figures, "questions": rows})
        return
    for row in rows:
        told = "right" if row["right"] else f"wrong, it is {row['correct']}"
        console.print(f"{row['id']}  {row['given'] or '–'}  {told}", markup=False)
    low, high = 100 * total["low"], 100 * total["high"]
    share = f"{total['right']} of {total['n']} right, {100 * total['share']:.1f} % ({low:.1f} to {high:.1f})"
    console.print(f"{share}; chance {100 * chance:.1f} %; {found.answered} answered")


def _scored(question: str, given: Mapping[str, str], right: Mapping[str, str]) -> dict[str, Any]:
    letter = given.get(question)
    return {"given": letter, "correct": right[question], "right": letter == right[question]}


def _free(path: Path) -> None:
    if path.exists():
        raise Unusable(f"'{path}' exists. Choose another name.")


def _written(
    made: Sequence[tuple[QuestionPack, Path]],
    key: Path | None,
    as_json: bool,
    *,
    dropped: Sequence[str] = (),
    told: str = "",
) -> None:
    """Write packs and say so; nothing that exists is written over."""
    for _, out in made:
        _free(out)
    rows = []
    for pack, out in made:
        place = save_pack(pack, out, key)
        rows.append({"path": str(out), "key": None if place is None else str(place), "pack": pack.manifest.as_json()})
        if not as_json:
            console.print(f"{pack.manifest.id}: {pack.manifest.n} questions in {out}", markup=False)
        if not as_json and place is not None:
            console.print(f"  its key is {place}: keep it to yourself", markup=False)
    if as_json:
        say_json("archstudio.iq.packs/1", {"packs": rows, "left_out": list(dropped)})
    elif dropped:
        console.print(f"{told}: {', '.join(dropped)}", markup=False)
