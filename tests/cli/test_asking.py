"""`-i` asks for everything on a terminal, takes no for an answer, and leaves nothing half made."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from archstudio.cli.program import main
from archstudio.cli.windowed import Windowed
from archstudio.intuition.datasets.drawing import Pins, draw_spec
from archstudio.intuition.datasets.folder import open_dataset
from archstudio.intuition.profile_file import load_profile


class Typed(io.StringIO):
    """A person at a terminal who types these lines and then ends the input."""

    def isatty(self) -> bool:
        return True


def unasked(*_: object) -> int:
    raise AssertionError("the window was asked for")


Type = Callable[..., int]


@pytest.fixture
def iq(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Type:
    """`iq(("create-dataset", "-i"), "line", ...)` runs the command and types the lines."""
    monkeypatch.chdir(tmp_path)

    def run(arguments: tuple[str, ...], *lines: str) -> int:
        monkeypatch.setattr("sys.stdin", Typed("".join(f"{line}\n" for line in lines)))
        return main(["iq", *arguments], Windowed(unasked, unasked, unasked, unasked))

    return run


def made(tmp_path: Path) -> Path:
    (folder,) = (tmp_path / "data" / "datasets").glob("*/*")
    return folder


def test_a_data_set_is_asked_for_until_the_answers_make_sense(
    iq: Type, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = ("images", "multivariate_regression", "minus one", "-1", "7", "9", "2")
    assert iq(("create-dataset", "-i"), *typed) == 0
    said = capsys.readouterr().out
    assert "Family (univariate_regression, multivariate_regression" in said
    assert "'images' is none of them; once more." in said
    assert "'minus one' is no whole number" in said
    assert said.count("once more.") == 4
    spec = draw_spec(load_profile("v1").content, "multivariate_regression", 7, Pins(input_dim=2))
    assert open_dataset(made(tmp_path)).spec == spec


def test_enter_takes_what_is_offered(iq: Type, tmp_path: Path) -> None:
    assert iq(("create-dataset", "-i", "--family", "bigram_lm", "--seed", "5"), "", "") == 0
    assert open_dataset(made(tmp_path)).spec == draw_spec(load_profile("v1").content, "bigram_lm", 5)


def test_nothing_is_trained_after_a_no(iq: Type, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    iq(("create-dataset", "--family", "univariate_regression"))
    dataset = made(tmp_path)
    assert iq(("generate-candidates", str(dataset), "-i"), "1024", "4", "model, luck", "model optimizer", "3", "n") == 0
    said = capsys.readouterr().out
    assert "the profile offers 1024, 2048" in said
    assert "'luck' is none of them" in said
    assert "Train 4 candidates with 10 seeds each: 40 runs of 1,024 samples?" in said
    assert said.endswith("Nothing was made.\n")
    assert not (dataset / "candidates").exists()


def test_the_end_of_the_input_ends_the_asking(iq: Type, tmp_path: Path) -> None:
    assert iq(("create-dataset", "-i"), "univariate_regression") == 130
    assert not (tmp_path / "data").exists()


def test_questions_need_a_finished_set(iq: Type, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    iq(("create-dataset", "--family", "univariate_regression"))
    assert iq(("generate-question", str(made(tmp_path)), "-i")) == 2
    assert "there is no finished set of candidates" in capsys.readouterr().err
    assert iq(("generate-question", str(made(tmp_path)))) == 2
    assert "Name at least one finished set" in capsys.readouterr().err


def test_without_a_terminal_the_options_are_named_instead(archstudio) -> None:
    ran = archstudio("iq", "create-dataset", "-i")
    assert (ran.code, "-i asks on a terminal, and there is none" in ran.err) == (2, True)
