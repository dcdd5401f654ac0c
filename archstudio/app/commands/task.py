"""Finding tasks, drawing and importing them, what was tried, practice, and writing tasks of one's own."""

from __future__ import annotations

from archstudio.app.commands.command import Command, Context, always, has_document
from archstudio.app.document import Document
from archstudio.app.tasks.attempts import Attempt
from archstudio.app.tasks.authoring import Draft, draft_of
from archstudio.app.tasks.entry import MINE, split_ref
from archstudio.app.tasks.library import Import, task_of
from archstudio.app.tasks.practice import exercise_of, gives_hints
from archstudio.app.tasks.reference import solution_actions, solution_graph
from archstudio.bench.task_files import FiledTask
from archstudio.bench.tasks import UnknownName
from archstudio.files.atomic import SaveFailed
from archstudio.files.unusable import UnusableFile
from archstudio.graph import Graph, GraphError

Refusals = (UnusableFile, GraphError, UnknownName, SaveFailed, OSError, ValueError)


# Suites --------------------------------------------------------------------------------------------------------------


def generate_suite(context: Context) -> None:
    """Ask for tier, count and seed, and keep the suite they draw."""
    recipe = context.view.bench.ask_recipe()
    if recipe is None:
        return
    try:
        context.application.tasks.library.keep_generated(recipe)
    except Refusals as fault:
        context.view.notify("The suite was not kept", str(fault), fault=True)
        return
    context.view.bench.show_suite(recipe.id)


def import_tasks(context: Context) -> None:
    """Ask for task files, keep their tasks, and say which rows were left out and why."""
    for path in context.view.bench.ask_task_files():
        reading = Import(path)
        try:
            if not context.view.bench.watch_reading(path.name, reading.steps()):
                return
            made = context.application.tasks.library.keep_imported(reading)
        except Refusals as fault:
            context.view.notify(f"{path.name} could not be imported", str(fault), fault=True)
            continue
        if made.suite is not None:
            context.view.bench.show_suite(made.suite)
        context.view.bench.tell_imported(path.name, made)


def can_remove_suite(context: Context) -> bool:
    """The suite shown was drawn or imported."""
    return may_manage(context) and context.view.bench.shown_suite() not in ("", "curated", "practice", MINE)


def remove_suite(context: Context) -> None:
    """Ask once, then forget the suite shown; attempts at its tasks stay."""
    suite_id = context.view.bench.shown_suite()
    title = context.application.tasks.library.suite(suite_id).title
    detail = "What you submitted to its tasks is kept."
    if not context.view.ask_confirm(f"Remove the suite {title}?", detail, "Remove"):
        return
    try:
        context.application.tasks.library.remove(suite_id)
    except Refusals as fault:
        context.view.notify("The suite was not removed", str(fault), fault=True)


def open_next(context: Context) -> None:
    """Open the next task of the list that is not done."""
    ref = context.view.bench.next_task()
    if ref is None:
        context.view.notify("Every task of the list is done")
        return
    open_task(context, ref)


def open_task(context: Context, ref: str) -> Document | None:
    """Open a task by its ref; says why if it cannot be."""
    try:
        return context.application.open_task(ref)
    except Refusals as fault:
        context.view.notify(f"{split_ref(ref)[1]} could not be opened", str(fault), fault=True)
        return None


# Attempts ------------------------------------------------------------------------------------------------------------


def has_chosen_attempt(context: Context) -> bool:
    """An attempt is chosen in the Plan dock."""
    return context.view.bench.chosen_attempt() is not None


def open_attempt(context: Context) -> None:
    """Open the graph of the chosen attempt in a tab of its own, on the same task."""
    attempt = context.view.bench.chosen_attempt()
    if attempt is None:
        return
    try:
        context.application.adopt(attempt_document(context, attempt))
    except Refusals as fault:
        context.view.notify("The attempt could not be opened", str(fault), fault=True)


def attempt_document(context: Context, attempt: Attempt) -> Document:
    """The graph as it was submitted, with the plan still counted from the task's start."""
    application = context.application
    graph = application.tasks.attempts.graph(attempt)
    number = application.tasks.attempts.of(attempt.ref).index(attempt) + 1
    graph.name = f"{split_ref(attempt.ref)[1]}, attempt {number}"
    start = next((d.start for d in application.documents if d.task_id == attempt.ref), None)
    if start is None:
        start = start_document(context, attempt.ref).start
    return Document(graph, task_id=attempt.ref, start=start, visibility=application.visibility)


def start_document(context: Context, ref: str) -> Document:
    """A document on a task's start that is not opened."""
    from archstudio.app.tasks.opening import task_document

    return task_document(ref, context.application.visibility, context.application.tasks.library)


def can_compare(context: Context) -> bool:
    """The open task was solved, has a solution to compare with, and nothing of that is to be hidden."""
    if not has_document(context):
        return False
    document = context.document
    seen = document.visibility
    if document.task_id is None or not (seen.task_verdict and seen.brief_verdict and seen.exact_verdict):
        return False
    if not context.application.tasks.attempts.solved(document.task_id):
        return False
    task = task_of(document.task_id)
    return task is not None and solution_actions(task) is not None


def compare(context: Context) -> None:
    """Show a solution beside the open graph, and what it does otherwise."""
    reference = _reference(context)
    if reference is not None:
        context.view.bench.compare_with_reference(context.document, reference)


def open_reference(context: Context) -> None:
    """Open a solution in a tab of its own."""
    reference = _reference(context)
    if reference is not None:
        context.application.adopt(Document(reference, visibility=context.application.visibility))


def _reference(context: Context) -> Graph | None:
    task = task_of(context.document.task_id)
    assert task is not None
    try:
        return solution_graph(task)
    except Refusals as fault:
        context.view.notify("The reference is no network", str(fault), fault=True)
        return None


# Practice ------------------------------------------------------------------------------------------------------------


def has_hint(context: Context) -> bool:
    """An exercise is open that has a hint left."""
    held = exercise_of(context.document) if has_document(context) else None
    if held is None or not gives_hints(context.application.visibility, context.document.visibility):
        return False
    return context.application.tasks.practice.state(held.name).hints < len(held.hints)


def next_hint(context: Context) -> None:
    """Show one hint more."""
    held = exercise_of(context.document)
    assert held is not None
    try:
        context.application.tasks.practice.next_hint(held.name)
    except SaveFailed as fault:
        context.view.notify("The hint is shown, but that cannot be remembered", str(fault), fault=True)
    context.view.show_dock("tasks")


# Own tasks, results --------------------------------------------------------------------------------------------------


def may_manage(context: Context) -> bool:
    """Nothing is to be hidden from this person: outside studies."""
    document = context.application.current
    shown = document is None or document.visibility.task_verdict
    return context.application.visibility.task_verdict and shown


def may_author(context: Context) -> bool:
    """A graph is open, and outside studies."""
    return has_document(context) and may_manage(context)


def author(context: Context) -> None:
    """Write a task that starts from the open graph."""
    context.view.bench.author(Draft(context.document.graph.copy()))


def has_own_task(context: Context) -> bool:
    """The open graph belongs to a task the person wrote."""
    return may_author(context) and split_ref(context.document.task_id or "")[0] == MINE


def edit_own(context: Context) -> None:
    """Go on writing the task that is open."""
    task = task_of(context.document.task_id)
    if not isinstance(task, FiledTask):
        context.view.notify("The task is gone", "Its file was removed.", fault=True)
        return
    try:
        context.view.bench.author(draft_of(task))
    except GraphError as fault:
        context.view.notify("The task cannot be edited", str(fault), fault=True)


def import_results(context: Context) -> None:
    """Ask for result files and keep them; difficulty is rated anew."""
    kept = []
    for path in context.view.bench.ask_result_files():
        try:
            kept.append(context.application.tasks.results.add(path))
        except Refusals as fault:
            context.view.notify(f"{path.name} could not be imported", str(fault), fault=True)
    if kept:
        context.view.bench.tell_results(kept)


COMMANDS = (
    Command("task.find", "Find Task…", "Task", lambda c: c.view.bench.search_tasks(), "Ctrl+Shift+T", always,
            "Search the tasks of the suite shown."),
    Command("task.next", "Next Open Task", "Task", open_next, "Ctrl+Shift+N", always,
            "Open the next task of the list that is not done."),
    Command("task.generate", "Generate Tasks…", "Task", generate_suite, "", may_manage,
            "Draw a suite of tasks from a tier, a count and a seed.", True),
    Command("task.import", "Import Tasks…", "Task", import_tasks, "", may_manage,
            "Read tasks from files: tables of tasks, exported cases, proposed tasks."),
    Command("task.removeSuite", "Remove Suite…", "Task", remove_suite, "", can_remove_suite,
            "Forget the suite shown; attempts at its tasks are kept."),
    Command("task.attempts", "Attempts", "Task", lambda c: c.view.bench.show_attempts(), "", has_document,
            "Show what was submitted for this task.", True),
    Command("task.openAttempt", "Open Attempt", "Task", open_attempt, "", has_chosen_attempt,
            "Open the graph of the chosen attempt in a tab."),
    Command("task.compare", "Compare with the Reference…", "Task", compare, "", can_compare,
            "After solving: see what a reference solution does otherwise."),
    Command("task.openReference", "Open the Reference", "Task", open_reference, "", can_compare,
            "After solving: open a reference solution in a tab."),
    Command("task.hint", "Next Hint", "Task", next_hint, "Ctrl+Shift+H", has_hint,
            "Show one hint more for the broken graph that is open.", True),
    Command("task.new", "New from This Graph…", "Task", author, "", may_author,
            "Write a task of your own that starts from the open graph.", True),
    Command("task.edit", "Edit This Task…", "Task", edit_own, "", has_own_task, "Go on writing the task that is open."),
    Command("task.results", "Results…", "Task", lambda c: c.view.bench.show_results(), "", may_manage,
            "Pass rates of imported result files, by run, task and family.", True),
    Command("task.importResults", "Import Results…", "Task", import_results, "", may_manage,
            "Read published result files, or runs of 'archstudio bench run'."),
)  # fmt: skip
