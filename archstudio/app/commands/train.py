"""Training the open graph."""

from __future__ import annotations

from archstudio.app.commands.command import Command, Context, has_document


def can_train(context: Context) -> bool:
    """A graph is open and training may be used."""
    return has_document(context) and context.document.visibility.training


COMMANDS = (
    Command("train.start", "Train", "Train", lambda c: c.view.start_training(), "Ctrl+R", can_train,
            "Train the graph with the settings of the Training dock."),
    Command("train.pause", "Pause or Resume", "Train", lambda c: c.view.pause_training(), "", can_train,
            "Hold the runs that are going on at their next step, or let them go on."),
    Command("train.stop", "Stop", "Train", lambda c: c.view.stop_training(), "Ctrl+.", can_train,
            "Stop the runs that are going on."),
)  # fmt: skip
