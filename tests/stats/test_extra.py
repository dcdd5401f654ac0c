"""Where the libraries of studies are missing, the error says how to install them; shares need none of them."""

import subprocess
import sys

import pytest

from archstudio.stats.durations import kaplan_meier
from archstudio.stats.extra import MissingExtra, of_study
from archstudio.stats.families import holm


@pytest.mark.parametrize(
    ("library", "use"),
    [
        ("statsmodels", lambda: kaplan_meier([1.0], [True])),
        ("statsmodels", lambda: holm([0.1])),
        ("matplotlib", lambda: of_study("matplotlib.figure")),
        ("scipy", lambda: of_study("scipy.stats")),
    ],
)
def test_a_missing_library_is_named_with_its_remedy(monkeypatch, library, use):
    for name in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=rf"{library} is not installed.*archstudio\[study\]"):
        use()


def test_intervals_and_the_study_rooms_load_without_them():
    program = (
        "import sys, archstudio.stats, archstudio.study.export.folder, archstudio.cli.study_report; "
        "sys.exit(sorted({'scipy', 'statsmodels', 'matplotlib'} & set(sys.modules)) != [])"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=120, check=False).returncode == 0
