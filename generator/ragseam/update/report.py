"""A plan as text for a person, and as one JSON document."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from rich.console import Console
from rich.text import Text

from .merge import Hunk
from .plan import Answered, Plan

SCHEMA = "ragseam.update.v1"
SHOWN_LINES = 6


def print_plan(plan: Plan, console: Console) -> None:
    """Print what an update will do."""
    console.print(Text(_versions(plan), "bold"), soft_wrap=True)
    for text, style in _plan_lines(plan):
        console.print(Text(text, style), soft_wrap=True)


def _versions(plan: Plan) -> str:
    name = plan.project.path.name
    if plan.nothing:
        return f"{name} is {plan.nothing}: nothing to update."
    if plan.old.commit == plan.new.commit:
        return f"{name} stays at {plan.new.label}, with other answers"
    return f"{name}: {plan.old.label} → {plan.new.label}"


def _plan_lines(plan: Plan) -> Iterator[tuple[str, str]]:
    yield from _answer_lines("New questions, answered by their defaults", plan.questions)
    yield from _answer_lines("Answers that change", plan.changed_answers)
    if plan.dropped_questions:
        yield from _section("No longer asked")
        yield f"  {', '.join(plan.dropped_questions)}", ""
    if not plan.places and not plan.nothing:
        yield "\nNo file changes.", ""
    for title, sign, style, paths in _file_lists(plan):
        yield from _section(f"{title} ({len(paths)})" if paths else "")
        yield from ((f"  {sign} {path}", style) for path in paths)
    if plan.conflicts:
        yield from _section("Conflicts: both changed the same lines")
        for path, hunks in plan.conflicts.items():
            yield from _conflict_lines(path, hunks)
    if plan.kept:
        yield from _section("Kept as they are")
        for kept in plan.kept:
            yield f"  {kept.path}", "yellow"
            yield f"      {kept.why}", ""
    if plan.notes:
        yield from _section("Good to know")
        yield from ((f"  {note.path}: {note.text}", "") for note in plan.notes)
    if plan.losses:
        yield from _section("Plain `copier update` would lose, and this keeps")
        yield from ((f"  {loss.path}: {loss.what}", "") for loss in plan.losses)


def _section(title: str) -> Iterator[tuple[str, str]]:
    if title:
        yield f"\n{title}", "bold"


def _answer_lines(title: str, answers: tuple[Answered, ...]) -> Iterator[tuple[str, str]]:
    if answers:
        yield from _section(title)
    for answered in answers:
        yield f"  {answered.name}: {answered.answer}    {answered.help}".rstrip(), ""


def _file_lists(plan: Plan) -> list[tuple[str, str, str, list[str]]]:
    files = files_by_kind(plan)
    return [
        ("Added", "+", "green", files["added"]),
        ("Changed", "~", "", files["changed"]),
        ("Removed", "-", "red", files["removed"]),
    ]


def files_by_kind(plan: Plan) -> dict[str, list[str]]:
    """Paths that are added, changed and removed, each list sorted; conflicts count as changed."""
    kinds: dict[str, list[str]] = {"added": [], "changed": [], "removed": []}
    for place in sorted(plan.places, key=lambda place: place.path):
        if place.entry is None:
            kinds["removed"].append(place.path)
        else:
            kinds["added" if place.before is None else "changed"].append(place.path)
    return kinds


def _conflict_lines(path: str, hunks: tuple[Hunk, ...]) -> Iterator[tuple[str, str]]:
    for hunk in hunks:
        yield f"  {path}:{hunk.line}", "yellow"
        for sign, side, style in (("ours  ", hunk.ours, ""), ("theirs", hunk.theirs, "")):
            lines = side.splitlines() or ["(nothing)"]
            yield from ((f"      {sign} │ {line}", style) for line in lines[:SHOWN_LINES])
            if len(lines) > SHOWN_LINES:
                yield f"      {sign} │ … {len(lines) - SHOWN_LINES} more lines", "dim"


def print_outcome(plan: Plan, console: Console) -> None:
    """Print what is left to do after an update has been applied."""
    for text, style in outcome_lines(plan):
        console.print(Text(text, style), soft_wrap=True)


def outcome_lines(plan: Plan) -> Iterator[tuple[str, str]]:
    """What to do about each conflict and each kept file, and how to take or undo the rest."""
    yield f"\nUpdated to {plan.new.label}. Nothing is committed.", "bold"
    if not plan.is_clean:
        yield from _section("To do")
        yield from ((f"  {where}: {todo}", "yellow") for where, todo in todos(plan))
    git = git_command(plan.project.path, Path.cwd())
    commit = "commit" if plan.conflicts else "commit -a"
    yield "", ""
    for purpose, command in [
        ("Look at it", "diff"),
        ("Take it", f"{commit} -m 'Update to {plan.new.label}'"),
        ("Undo it", "restore --source=HEAD --staged --worktree ."),
    ]:
        yield f"  {purpose + ':':<11}  {git} {command}", ""


def git_command(path: Path, here: Path) -> str:
    """`git`, as typed in the folder `here` to work on `path`."""
    if path == here:
        return "git"
    return f"git -C {path.relative_to(here) if path.is_relative_to(here) else path}"


def todos(plan: Plan) -> list[tuple[str, str]]:
    """Path and what to do about it, for all that an update leaves to be decided."""
    resolve = "Choose between the sides, delete the markers, then `git add` it."
    conflicts = [
        (", ".join(f"{path}:{hunk.line}" for hunk in hunks), resolve)
        for path, hunks in plan.conflicts.items()
    ]
    return conflicts + [(kept.path, kept.todo) for kept in plan.kept]


def plan_record(plan: Plan, *, applied: bool) -> dict[str, object]:
    """The whole plan under the schema `ragseam.update.v1`."""
    return {
        "schema": SCHEMA,
        "path": str(plan.project.path),
        "status": "nothing" if plan.nothing else "applied" if applied else "planned",
        "clean": plan.is_clean,
        "nothing": plan.nothing or None,
        "template": plan.project.source,
        "from": {"version": plan.old.label, "commit": plan.old.commit},
        "to": {"version": plan.new.label, "commit": plan.new.commit},
        "questions": [_answered(answered) for answered in plan.questions],
        "changed_answers": [_answered(answered) for answered in plan.changed_answers],
        "dropped_questions": list(plan.dropped_questions),
        "files": files_by_kind(plan),
        "conflicts": [
            {
                "path": path,
                "hunks": [
                    {"line": hunk.line, "ours": hunk.ours, "theirs": hunk.theirs} for hunk in hunks
                ],
            }
            for path, hunks in plan.conflicts.items()
        ],
        "kept": [
            {"path": kept.path, "why": kept.why, "todo": kept.todo, "beside": kept.beside}
            for kept in plan.kept
        ],
        "notes": [{"path": note.path, "text": note.text} for note in plan.notes],
        "losses": [{"path": loss.path, "what": loss.what} for loss in plan.losses],
    }


def _answered(answered: Answered) -> Mapping[str, object]:
    return {"name": answered.name, "help": answered.help, "answer": answered.answer}
