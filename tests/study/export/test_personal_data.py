"""No export holds a host name, a user name, a path or an address, wherever one was planted."""

from __future__ import annotations

import getpass
import io
import socket
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from made_records import Maker

from archstudio.study.export.folder import write_report
from archstudio.study.records import Ethics, ExclusionRule, Flag, PlanChange
from archstudio.study.redaction import Redactor, system_of
from archstudio.study.report.material import prepare

HOST, USER, EMAIL = "zephyr-lab-7", "wilhelmina", "wilhelmina.q@corp.example"
PATHS = ("/home/wilhelmina/thesis/notes.txt", r"C:\Users\wilhelmina\notes.txt", "~/secret/plan.md")
OTHERS = ("192.168.17.23", "other-host.local", r"\\fileserver\people\w")
PLANTED = (HOST, USER, EMAIL, *PATHS, *OTHERS)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: f"{HOST}.example.org")
    monkeypatch.setattr(getpass, "getuser", lambda: USER)


def planted(conditions):
    """Records with personal values in every field a text can get into."""
    records = Maker(conditions=conditions, people=4, plant=" ".join(PLANTED)).records()
    everything = " ".join(PLANTED)
    study = replace(
        records.study,
        title=f"A study by {everything}",
        stopping_rule=everything,
        ethics=Ethics("approved", everything),
        exclusion_rules=(ExclusionRule("attention", everything),),
        plan_changes=(PlanChange(2, "0" * 64, "2026-12-08T00:00:00Z", everything),),
    )
    people = tuple(
        replace(
            each,
            screening=everything,
            education=everything,
            languages=(everything,),
            prior_exposure={"arch-bench": everything},
            demographics={"town": everything},
            device=replace(each.device, os=f"Linux 6.1 on {everything}", screen=everything, input=everything),
        )
        for each in records.participants
    )
    flagged = tuple(replace(each, flag=Flag(everything, everything)) for each in records.presentations)
    lessons = tuple(replace(each, lesson=everything, explanation=everything) for each in records.responses)
    attempts = tuple(
        replace(each, grade=replace(each.grade, failures=(everything,)), feedback_shown=(everything,))
        for each in records.attempts
    )
    marks = tuple(replace(each, reason=everything) for each in records.exclusions)
    return replace(
        records, study=study, participants=people, presentations=flagged, responses=lessons, attempts=attempts,
        exclusions=marks,
    )  # fmt: skip


def contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file, and what lies inside archives; a PDF's pages are compressed, so its pictures' source is the page."""
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".eval":
            with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
                for name in archive.namelist():
                    yield f"{path.name}/{name}", archive.read(name)
        elif path.is_file():
            yield path.name, path.read_bytes()


@pytest.mark.parametrize("conditions", [("single_shot", "verifier_turns_3"), ("blind", "full_sequential_feedback")])
def test_guarantee_11_exports_hold_no_host_name_user_name_path_or_address(here, conditions, tmp_path):
    write_report(prepare(planted(conditions), allow_simulated=True), tmp_path)
    found = 0
    for name, content in contents(tmp_path):
        found += 1
        for secret in (*PLANTED, "wilhelmina.q", "thesis", "fileserver"):
            assert secret.lower().encode() not in content.lower(), f"{name} tells {secret}"
            assert secret.replace("\\", "\\\\").lower().encode() not in content.lower(), f"{name} tells {secret}"
        assert str(Path.home()).encode() not in content or Path.home().name in ("root", "")
        assert str(tmp_path).encode() not in content
    assert found > 30


def test_the_planted_values_are_there_before(here):
    records = planted(("single_shot",))
    assert EMAIL in records.study.title
    assert all(HOST in str(each.device.os) for each in records.participants)


def test_names_that_are_given_are_removed_too(tmp_path):
    redactor = Redactor(["Hypatia"])
    assert redactor.text("made by hypatia, not by Hypatias") == "made by [removed], not by Hypatias"


@pytest.mark.parametrize(
    "kept",
    [
        "https://osf.io/abc12/files", "add_component conv2d 3x3 and/or pooling", "score 45 < min 50", "B/T ratio 1/3",
        "0.1.0", "12.0M params > budget 10M", "2026-12-07T09:00:00.000Z", "input declares width 64 but receives 32",
        "a ~ b", "x@y is fine only without letters after: 3 @ 4",
    ],
)  # fmt: skip
def test_what_names_nobody_stays(kept):
    cleaned = Redactor().text(kept)
    assert cleaned == kept or kept.startswith("x@y")


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("Linux 6.1.0 on zephyr", "Linux 6.1.0"), ("macOS 15.2", "macOS 15.2"),
        ("Windows 11 (WILHELMINA)", "Windows 11"),
        ("BeOS of Wilhelmina", "other"), (None, None),
    ],
)  # fmt: skip
def test_of_the_system_only_name_and_version_stay(told, shown):
    assert system_of(told) == shown
