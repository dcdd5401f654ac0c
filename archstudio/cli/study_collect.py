"""`archstudio study merge|coverage|withdraw|simulate|export-session`: what is done with session files."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from archstudio.app.figures import plural
from archstudio.cli.output import FINE, PROBLEMS, Unusable, complain, console, say_json
from archstudio.cli.study_files import opened
from archstudio.files.atomic import save_atomic
from archstudio.study.collect import Collected, Coverage, collect, coverage
from archstudio.study.collect import withdraw as withdraw_files
from archstudio.study.collect.exclusions import read_exclusions
from archstudio.study.log.transfer import SUFFIX, export_session
from archstudio.study.simulated import simulate as simulate_people

StudyFile = Annotated[Path, typer.Argument(metavar="STUDY", help="The frozen .study file.")]
Sessions = Annotated[list[Path], typer.Argument(metavar="SESSIONS…", help="Session files, or folders of them.")]
KeyOption = Annotated[Path | None, typer.Option("--key", help="The researcher's key file.")]
ExclusionsOption = Annotated[Path | None, typer.Option("--exclusions", help="A JSON list of exclusions by hand.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("merge")(merge)
    app.command("coverage")(coverage_)
    app.command("withdraw")(withdraw)
    app.command("simulate")(simulate)
    app.command("hand-over")(hand_over)


def merge(
    study: StudyFile,
    sessions: Sessions,
    key: KeyOption = None,
    exclusions: ExclusionsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put session files of many machines together, and say what became of each. Exit 1 if any does not count.

    With --json the document holds all tables.
    """
    made = _collected(study, sessions, key, exclusions)
    if as_json:
        say_json("archstudio.study-merge/1", {"records": asdict(made.records), "left": [asdict(x) for x in made.left]})
    else:
        _show_left(made)
        records = made.records
        console.print(
            f"{plural(len(records.participants), 'person', 'people')}, {plural(len(records.sessions), 'session')}, "
            f"{plural(len(records.presentations), 'item')} shown, "
            f"{plural(len(records.attempts), 'audit or submission', 'audits and submissions')}, "
            f"{plural(len(records.responses), 'answer')}, {plural(len(records.exclusions), 'exclusion')}, "
            f"{plural(len(records.withdrawals), 'withdrawal')}"
        )
        if records.simulated:
            console.print("Some of it is simulated.")
    unused = [each for each in made.left if not each.counts and each.why != "duplicate"]
    raise typer.Exit(PROBLEMS if unused else FINE)


def coverage_(
    study: StudyFile,
    sessions: Sessions,
    exclusions: ExclusionsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say how far a study has come, by condition and item."""
    made = coverage(_collected(study, sessions, None, exclusions).records)
    if as_json:
        say_json("archstudio.study-coverage/1", asdict(made))
    else:
        _show_coverage(made)


def withdraw(
    code: Annotated[str, typer.Argument(help="The withdrawal code that the person was given.")],
    sessions: Sessions,
) -> None:
    """Erase everything of the person whose code this is, for good. Exit 1 if no file is theirs.

    Do it in every place where copies lie; tables and reports made before have to be made again.
    """
    found = withdraw_files(code, sessions)
    for each in found:
        console.print(f"{each.path}: {each.erased:,} entries erased", markup=False)
    if not found:
        complain("no session here was given that code. Check it, and where copies lie.")
    raise typer.Exit(FINE if found else PROBLEMS)


def simulate(
    study: StudyFile,
    folder: Annotated[Path, typer.Option("--out", help="Where the sessions go.")],
    people: Annotated[int, typer.Option(min=1, max=100_000, help="How many take part.")] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Everything random follows from it.")] = 0,
    key: KeyOption = None,
) -> None:
    """Let programs take part, to try out everything that comes after. Each row they leave says so."""
    folder.mkdir(parents=True, exist_ok=True)
    made = simulate_people(opened(study, key), folder, people, seed=seed)
    console.print(f"Wrote {len(made)} simulated sessions to {folder}.", markup=False)


def hand_over(
    session: Annotated[Path, typer.Argument(metavar="SESSION", help="A .session file.")],
    out: Annotated[Path | None, typer.Option("-o", "--out", help=f"Default: the session's name with {SUFFIX}.")] = None,
) -> None:
    """Write a session as one file for handing over; the same session always gives the same bytes."""
    path = out or session.with_suffix(SUFFIX)
    if path.exists():
        raise Unusable(f"'{path}' exists. Choose another name.")
    save_atomic(path, export_session(session), backups=0)
    console.print(f"Wrote {path}.", markup=False)


def _collected(study: Path, sessions: list[Path], key: Path | None, exclusions: Path | None) -> Collected:
    pack = opened(study, key)
    listed = [] if exclusions is None else read_exclusions(exclusions, pack.protocol)
    return collect(pack, sessions, exclusions=listed)


def _show_left(made: Collected) -> None:
    for each in made.left:
        remark = " (it counts all the same)" if each.counts else ""
        console.print(f"{each.file}: {each.why}: {each.detail}{remark}", markup=False)


def _show_coverage(made: Coverage) -> None:
    planned = "" if made.planned is None else f" of {made.planned} planned"
    console.print(
        f"{made.phase}: {made.people}{planned} people; {made.withdrawn} withdrew; {made.excluded} marks of exclusion"
    )
    conditions = Table("condition", "people", "completed", "partial", "answers", box=None)
    for row in made.conditions:
        conditions.add_row(row.condition, *map(str, (row.people, row.completed, row.partial, row.answers)))
    console.print(conditions)
    items = Table("item", *(row.condition for row in made.conditions), box=None)
    for item in made.items:
        items.add_row(item.item_id, *(str(count) for count in item.by_condition.values()))
    console.print(items)
