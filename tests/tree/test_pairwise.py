"""The cover that the other tests stand on."""

from itertools import combinations, product

from pairwise import pairwise


def test_every_pair_of_choices_meets_in_few_rows():
    choices = {"a": [1, 2, 3, 4], "b": [1, 2, 3, 4, 5], "c": ["x", "y"], "d": [True, False]}
    rows = pairwise(choices)
    for one, other in combinations(choices, 2):
        met = {(row[one], row[other]) for row in rows}
        assert met == set(product(choices[one], choices[other]))
    assert 20 <= len(rows) <= 24
