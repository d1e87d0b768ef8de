"""The cover that the other tests stand on."""

from itertools import combinations, product

from ragseam.pairwise import each_choice, pairwise

CHOICES = {"a": [1, 2, 3, 4], "b": [1, 2, 3, 4, 5], "c": ["x", "y"], "d": [True, False]}


def test_every_pair_of_choices_meets_in_few_rows():
    rows = pairwise(CHOICES)
    for one, other in combinations(CHOICES, 2):
        met = {(row[one], row[other]) for row in rows}
        assert met == set(product(CHOICES[one], CHOICES[other]))
    assert 20 <= len(rows) <= 24


def test_impossible_pairs_stay_out_and_all_others_meet():
    def is_possible(row):
        return (row.get("a"), row.get("b")) != (2, 5)

    rows = pairwise(CHOICES, is_possible)
    met = {(row["a"], row["b"]) for row in rows}
    assert met == set(product(CHOICES["a"], CHOICES["b"])) - {(2, 5)}


def test_every_choice_stands_in_a_sample_that_starts_with_the_default():
    rows = pairwise(CHOICES)
    sample = each_choice(rows, CHOICES)
    assert sample[0] == {name: values[0] for name, values in CHOICES.items()}
    for name, values in CHOICES.items():
        assert {row[name] for row in sample} == set(values)
    assert len(sample) < 8
