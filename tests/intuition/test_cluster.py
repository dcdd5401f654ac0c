"""Candidates on a cluster: the same summaries and curves, byte for byte, as on this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from archstudio.intuition.candidates.sampling import SetRequest
from archstudio.intuition.datasets.drawing import draw_spec
from archstudio.intuition.datasets.folder import create_dataset
from archstudio.intuition.profile import LoadedProfile
from archstudio.intuition.truth.description import KINDS
from archstudio.intuition.truth.sets import make_set
from archstudio.training.engine import Engine, LocalEngine


@pytest.mark.long
def test_a_set_made_on_a_cluster_is_the_set_made_here(quick: LoadedProfile, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    from archstudio.training.cluster.engine import DaskEngine

    request = SetRequest(budget=512, count=4, vary=frozenset({"model", "optimizer"}), seed=2)
    spec = draw_spec(quick.content, "univariate_regression", 4)

    def made(engine: Engine, root: Path) -> dict[str, bytes]:
        done = make_set(engine, quick, create_dataset(spec, root), request)
        return {
            str(path.relative_to(done.folder)): path.read_bytes()
            for candidate in done.candidates
            for path in sorted(candidate.folder.rglob("*"))
            if path.is_file()
        }

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs="CRITICAL"
    ) as cluster:
        with DaskEngine(tmp_path / "far", distributed.Client(cluster), kinds=KINDS) as engine:
            far = made(engine, tmp_path / "far_data")
        with LocalEngine(tmp_path / "near", kinds=KINDS, workers=1) as engine:
            near = made(engine, tmp_path / "near_data")
    assert len(far) == 4 * 7
    assert far == near
