"""Curves that grow: drawn piece by piece they are what they would be drawn at once."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from archstudio.training.curves import smooth, thin, thin_log
from archstudio.training.live_curves import LiveCurve, Look
from archstudio.training.metrics import RECORD


def records(x, y, seconds=None):
    made = np.zeros(len(x), RECORD)
    made["samples"], made["step"], made["value"] = x, np.asarray(x) // 5, y
    made["seconds"] = np.asarray(x) / 10 if seconds is None else seconds
    return made


@given(
    st.lists(st.integers(1, 60), min_size=1, max_size=8),
    st.sampled_from([0.0, 40.0, 3000.0]),
    st.sampled_from([1.0, 16.0, 256.0]),
    st.booleans(),
    st.booleans(),
    st.integers(0, 5),
)
def test_a_growing_curve_is_drawn_as_the_whole_one(pieces, smoothing, width, log_x, log_y, seed) -> None:
    rng = np.random.default_rng(seed)
    x = np.arange(1, sum(pieces) + 1) * 5
    y = rng.standard_normal(len(x))
    live = LiveCurve()
    look = Look(smoothing, width, 7 if log_x else 0, log_y)
    at = 0
    for size in pieces:
        live.extend(records(x[at : at + size], y[at : at + size]))
        live.drawn(Look())
        drawn = live.drawn(look)
        at += size
    whole = smooth(x, y, smoothing)
    whole = np.where(whole > 0, whole, np.nan) if log_y else whole
    expected = thin_log(x, whole, 7) if log_x else thin(x, whole, width)
    assert np.array_equal(drawn.x, expected.x)
    assert np.array_equal(drawn.y, expected.y, equal_nan=True)
    assert np.array_equal(live.smoothed(smoothing), smooth(x, y, smoothing))


def test_an_empty_curve_draws_nothing() -> None:
    assert len(LiveCurve().drawn(Look(smoothing=5.0)).x) == 0


def test_another_axis_moves_places_only() -> None:
    live = LiveCurve(epoch_samples=20)
    live.extend(records([5, 10, 20, 40], [4.0, 3.0, 2.0, 1.0], [0.5, 1.0, 2.0, 4.0]))
    places = {axis: live.drawn(Look(axis=axis, width=0.125)).x.tolist() for axis in ("steps", "epochs", "seconds")}
    assert places == {
        "steps": [1.0, 2.0, 4.0, 8.0],
        "epochs": [0.25, 0.5, 1.0, 2.0],
        "seconds": [0.5, 1.0, 2.0, 4.0],
    }
    over_time = live.drawn(Look(smoothing=30.0, axis="seconds", width=0.125))
    assert np.array_equal(over_time.y, live.smoothed(30.0))
    assert [live.place(15, axis) for axis in ("samples", "steps", "epochs", "seconds")] == [15, 3.0, 0.75, 1.5]


def test_seconds_do_not_fall_where_a_run_went_on_from_a_checkpoint() -> None:
    live = LiveCurve()
    live.extend(records([5, 10], [1.0, 1.0], [1.0, 9.0]))
    live.extend(records([15, 20], [1.0, 1.0], [4.0, 10.0]))
    assert live.along("seconds").tolist() == [1.0, 9.0, 9.0, 10.0]


def test_without_the_number_of_training_samples_there_are_no_epochs() -> None:
    live = LiveCurve()
    live.extend(records([5], [1.0]))
    assert not live.has("epochs")
    assert np.isnan(live.along("epochs")).all()
