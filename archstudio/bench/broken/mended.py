"""Whether a broken graph was mended: it runs, and nothing was cut away to get there."""

from archstudio.bench.broken.exercise import Exercise
from archstudio.edits.actions import apply
from archstudio.edits.actions.model import Model, Wiring, name_text, type_of
from archstudio.verify.verdict import Verdict


def unmended(exercise: Exercise, model: Model, verdict: Verdict) -> list[str]:
    """What is still missing, as sentences; none means mended. `verdict` is the exact one of `model`.

    Beside running, the graph must keep every layer that the repair keeps, as the type it has after the repair and
    between input and output where it lies there; otherwise deleting the fault would do.
    """
    if verdict.errors:
        count = len(verdict.errors)
        return [f"PyTorch would still refuse it: {count} problem{'s' * (count > 1)}."]
    kept, now = _placed(apply(exercise.model(), exercise.actions()).model), _placed(model)
    names = {str(item["id"]): name_text(item) for item in exercise.model()["components"]}
    missing = []
    for key, (kind, on_path) in kept.items():
        if key not in names:
            continue  # a layer that one repair adds; another may add something else
        if key not in now or now[key][0] != kind:
            missing.append(f"{names[key]} is gone: mend it instead of leaving it out.")
        elif on_path and not now[key][1]:
            missing.append(f"{names[key]} is no longer between input and output.")
    return missing


def _placed(model: Model) -> dict[str, tuple[str, bool]]:
    """By id: the type of a component, and whether it lies on a path from an input to an output."""
    wiring = Wiring(model)
    return {
        str(item.get("id")): (type_of(item), place in wiring.on_path) for place, item in enumerate(wiring.components)
    }
