"""`archstudio study plan`: how many people, how many items."""

from __future__ import annotations

from typing import Annotated

import typer

from archstudio.cli.output import Unusable, console, say_json
from archstudio.study.protocol.power import Planned, people_for, planned, table


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("plan")(plan)


def plan(
    people: Annotated[int | None, typer.Option(min=1, help="People who take part.")] = None,
    items: Annotated[int, typer.Option(min=1, help="Items each person does.")] = 12,
    target: Annotated[float | None, typer.Option(help="Points to each side that the interval may have.")] = None,
    rate: Annotated[float, typer.Option(min=0, max=1, help="Expected rate of success.")] = 0.6,
    icc: Annotated[float, typer.Option(min=0, max=1, help="How alike the answers of one person are.")] = 0.2,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say how wide the interval will be for a design, or how many people a width takes.

    Answers of one person have something in common, so that more people tell more than more items a person.
    """
    try:
        made = people_for(target, items, rate, icc) if target is not None else planned(people or 24, items, rate, icc)
    except ValueError as error:
        raise Unusable(f"{error}.") from None
    if as_json:
        say_json("archstudio.study-plan/1", {"design": _record(made), "rate": rate, "icc": icc})
        return
    console.print(f"{made.people} people with {made.items_each} items each, if {100 * rate:.0f} % are solved:")
    console.print(f"  95 % interval of about ±{made.half_width_points:.1f} points")
    console.print(f"  as much as {made.effective:.0f} independent answers (design effect {made.design_effect:.2f})")
    console.print("\nIndependent answers and the interval they give:")
    for size, width in table(rate=rate):
        console.print(f"  {size:>5}  ±{width:.1f} points")


def _record(made: Planned) -> dict[str, float]:
    return {
        "people": made.people,
        "itemsEach": made.items_each,
        "designEffect": made.design_effect,
        "effective": made.effective,
        "halfWidthPoints": made.half_width_points,
    }
