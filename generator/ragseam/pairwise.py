"""Few rows of choices in which every pair of choices of two questions meets."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

Pair = tuple[tuple[str, int], tuple[str, int]]


def pairwise(
    choices: Mapping[str, Sequence[Any]],
    is_possible: Callable[[dict[str, Any]], bool] = lambda row: True,
) -> list[dict[str, Any]]:
    """Cover all possible pairs greedily, the row of first choices first.

    Each row takes, question by question, what meets most new pairs. `is_possible` judges a row
    of which some questions are not answered yet.
    """

    def values(row: Mapping[str, int]) -> dict[str, Any]:
        return {name: choices[name][index] for name, index in row.items()}

    missing = {pair for pair in _all_pairs(choices) if is_possible(values(dict(pair)))}
    rows: list[dict[str, Any]] = []
    while missing:
        row: dict[str, int] = dict(min(missing))
        for name in choices:
            if name not in row:
                fitting = (
                    index
                    for index in range(len(choices[name]))
                    if is_possible(values({**row, name: index}))
                )
                row[name] = max(fitting, key=lambda index: _gain(row, name, index, missing))
        missing -= _pairs_of(row)
        rows.append({name: values(row)[name] for name in choices})
    return rows


def each_choice(
    rows: Sequence[dict[str, Any]], choices: Mapping[str, Sequence[Any]]
) -> list[dict[str, Any]]:
    """Few of `rows`, the first among them, in which every choice stands at least once."""
    missing = {(name, repr(value)) for name, values in choices.items() for value in values}
    chosen: list[dict[str, Any]] = []
    while missing:
        row = max(rows, key=lambda row: len(missing & _stands_in(row))) if chosen else rows[0]
        chosen.append(row)
        missing -= _stands_in(row)
    return chosen


def _stands_in(row: Mapping[str, Any]) -> set[tuple[str, str]]:
    return {(name, repr(value)) for name, value in row.items()}


def _all_pairs(choices: Mapping[str, Sequence[Any]]) -> set[Pair]:
    return {
        _pair((one, first), (other, second))
        for one, other in combinations(choices, 2)
        for first, second in product(range(len(choices[one])), range(len(choices[other])))
    }


def _pairs_of(row: Mapping[str, int]) -> set[Pair]:
    return {_pair(one, other) for one, other in combinations(row.items(), 2)}


def _gain(row: Mapping[str, int], name: str, index: int, missing: set[Pair]) -> int:
    return sum(_pair(taken, (name, index)) in missing for taken in row.items())


def _pair(one: tuple[str, int], other: tuple[str, int]) -> Pair:
    return (one, other) if one < other else (other, one)
