"""`archstudio study`: design, freeze, check and collect studies with people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from archstudio.cli import study_collect, study_plan, study_report, study_run
from archstudio.cli.output import FINE, PROBLEMS, Unusable, console, say_json
from archstudio.cli.study_files import opened
from archstudio.files.atomic import save_atomic
from archstudio.files.strict_json import dump_json
from archstudio.files.unusable import UnusableFile
from archstudio.study.log.store import read_events
from archstudio.study.pack import freeze
from archstudio.study.pack.read import StudyPack
from archstudio.study.protocol import read_protocol
from archstudio.study.protocol.question_packs import asks_questions, with_pack
from archstudio.study.protocol.ready import ready_made, ready_protocol
from archstudio.study.replay import Recording, Verified, recordings, verify
from archstudio.study.session.state import BrokenSession

app = typer.Typer(help="Human baselines: studies of people on the benchmarks' items.", no_args_is_help=True)

StudyFile = Annotated[Path, typer.Argument(metavar="STUDY", help="A frozen .study file.")]
SessionFile = Annotated[Path, typer.Argument(metavar="SESSION", help="A session's file.")]
WithStudy = Annotated[Path | None, typer.Option("--study", help="Its .study file: grades are then made anew, too.")]
KeyOption = Annotated[Path | None, typer.Option("--key", help="The researcher's key file.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def register(parent: typer.Typer) -> None:
    """Add the commands of this module and its neighbours, under one name."""
    parent.add_typer(app, name="study")


@app.command()
def new(
    out: Annotated[Path | None, typer.Argument(help="Where to write the protocol.")] = None,
    ready: Annotated[str, typer.Option("--from", help="The ready-made protocol to begin with.")] = "pilot-15-minutes",
    study_id: Annotated[str | None, typer.Option("--id", help="The study's id; default: the file's name.")] = None,
    pack: Annotated[Path | None, typer.Option("--pack", help="The questions to ask: a pack, or a BakeFile.")] = None,
    key: Annotated[Path | None, typer.Option("--key", help="The key file of a blind pack.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the ready-made protocols and end.")] = False,
) -> None:
    """Write a protocol to edit, from one that ships with the program."""
    if listed:
        for name in ready_made():
            console.print(f"{name}  {ready_protocol(name).title}", markup=False)
        return
    if out is None:
        raise Unusable("say where to write the protocol, as in 'archstudio study new mine.json'.")
    if out.exists():
        raise Unusable(f"'{out}' exists. Choose another name.")
    protocol = ready_protocol(ready)
    wanted = study_id or out.name.split(".")[0].lower()
    try:
        renamed = type(protocol).model_validate({**protocol.as_json(), "id": wanted})
    except ValueError as error:
        raise Unusable(f"{wanted!r} is no id: letters, digits, '.', '_' and '-', in lower case ({error}).") from error
    if pack is not None or asks_questions(renamed):
        beside = with_pack(renamed, pack, key)
        beside.write(out.parent)
        renamed = beside.protocol
    save_atomic(out, dump_json(renamed.as_json()).encode(), backups=0)
    console.print(f"Wrote {out}. Edit it, then: archstudio study freeze {out}", markup=False)


@app.command("freeze")
def freeze_(
    protocol: Annotated[Path, typer.Argument(help="The protocol, a JSON file; its texts and packs lie beside it.")],
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Default: the protocol's name with .study.")] = None,
    key: Annotated[Path | None, typer.Option("--key", help="Where the key goes. Default: beside, with .key.")] = None,
) -> None:
    """Freeze a protocol into one .study file to hand out, and the key, which stays with you."""
    frozen = freeze(read_protocol(protocol), protocol.parent)
    study = out or protocol.with_suffix(".study")
    key_path = key or study.with_suffix(".key")
    for path in (study, key_path):
        if path.exists():
            raise Unusable(f"'{path}' exists. A frozen study never changes: raise plan_version, choose another name.")
    save_atomic(key_path, frozen.key, backups=0)
    save_atomic(study, frozen.study, backups=0)
    items = len(frozen.manifest.items)
    console.print(f"Wrote {study} ({items} items, {len(frozen.study) / 1024:,.0f} KiB): hand this out.", markup=False)
    told = "It holds no answers." if frozen.manifest.key == "none" else "It holds a sealed copy for feedback."
    console.print(f"Wrote {key_path}: keep it to yourself. {told}", markup=False)


@app.command()
def show(study: StudyFile, as_json: JsonOption = False) -> None:
    """Show what is in a .study file. Every digest is checked on the way."""
    pack = opened(study, None)
    if as_json:
        said = {"manifest": pack.manifest.as_json(), "protocol": pack.protocol.as_json(), "sha256": pack.sha256}
        say_json("archstudio.study-show/1", said)
        return
    for label, value in _described(pack):
        console.print(f"{label + ':':<18}{value}", markup=False)


def _described(pack: StudyPack) -> list[tuple[str, str]]:
    protocol, manifest = pack.protocol, pack.manifest
    counts = ", ".join(f"{len(pack.block(block))} {block}" for block in ("practice", "main", "attention"))
    wordings = sorted({pack.items[name].wording for name in pack.block("main")})
    key = {"none": "none in this file", "sealed": "sealed; readable to whoever alters the program"}[manifest.key]
    return [
        ("Study", f"{protocol.id}, {protocol.title}"),
        ("Phase", f"{protocol.phase}, plan version {protocol.plan_version}"),
        ("Conditions", ", ".join(protocol.conditions)),
        ("Items", f"{counts}; wording {', '.join(wordings)}"),
        ("Answers", key),
        ("Frozen by", f"Arch Studio {manifest.app_version}, grader {manifest.grader_version}"),
        ("Ethics", protocol.ethics.status),
        ("Preregistered", "no" if protocol.preregistration is None else protocol.preregistration.url),
        ("sha256", pack.sha256),
    ]


@app.command("verify")
def verify_(session: SessionFile, study: WithStudy = None, as_json: JsonOption = False) -> None:
    """Check a session: no event edited, dropped or reordered; with its study, grades as recorded. Exit 1 if not."""
    found = verify(session, None if study is None else opened(study, None))
    if as_json:
        say_json("archstudio.study-verify/1", _verified(found))
    else:
        _tell(found)
    raise typer.Exit(FINE if found.holds else PROBLEMS)


def _verified(found: Verified) -> dict[str, object]:
    faults = [*found.chain.faults, *found.problems]
    return {
        "session": found.chain.session_id,
        "holds": found.holds,
        "events": found.chain.events,
        "erased": found.chain.erased,
        "last": found.chain.last,
        "regraded": len(found.attempts),
        "faults": [{"event": fault.seq, "problem": fault.problem} for fault in faults],
    }


def _tell(found: Verified) -> None:
    chain = found.chain
    console.print(f"{chain.events:,} events, {chain.erased:,} erased; the last hash is {chain.last}", markup=False)
    for fault in (*chain.faults, *found.problems):
        console.print(f"event {fault.seq}: {fault.problem}", markup=False)
    if found.state is not None:
        console.print(f"{len(found.attempts)} audits and submissions graded anew, as recorded: {_yes(found.holds)}")
    console.print(f"The session holds: {_yes(found.holds)}")


@app.command("replay")
def replay_(
    session: SessionFile,
    study: Annotated[Path, typer.Option("--study", help="Its .study file.")],
    item: Annotated[str | None, typer.Option(help="Only this item.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List what happened to each graph, moment by moment, with the size of the graph after it."""
    try:
        made = recordings(opened(study, None), read_events(session))
    except BrokenSession as error:
        raise UnusableFile(session.name, problem=str(error), remedy="Verify the file.") from error
    if item is not None and item not in made:
        raise Unusable(f"the session has no graph {item!r}. It has: {', '.join(made) or 'none'}.")
    if not made and not as_json:
        console.print("The session has no graphs to replay.")
    chosen = {name: one for name, one in made.items() if item in (None, name)}
    if as_json:
        say_json("archstudio.study-replay/1", {"items": {name: _moments(one) for name, one in chosen.items()}})
        return
    for name, recording in chosen.items():
        console.print(f"\n{name}", markup=False)
        for place, moment in enumerate(recording.moments):
            layers = len(recording.graph_at(place))
            console.print(f"  {moment.active_ms / 1000:8.1f} s  {layers:3} layers  {moment.told}", markup=False)


def _moments(recording: Recording) -> list[dict[str, object]]:
    return [
        {
            "seq": moment.seq,
            "at_ms": moment.at_ms,
            "active_ms": moment.active_ms,
            "told": moment.told,
            "layers": len(recording.graph_at(place)),
        }
        for place, moment in enumerate(recording.moments)
    ]


def _yes(value: bool) -> str:
    return "yes" if value else "no"


study_plan.register(app)
study_collect.register(app)
study_report.register(app)
study_run.register(app)
