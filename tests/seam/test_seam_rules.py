"""Each case, judged by the rules of the rendered check."""

from collections import Counter

import pytest
from seam_cases import CASES, PACKAGE, lay, named

REJECTED = [case for case in CASES if case["expect"] == "reject" and "rule" in case]
ACCEPTED = [case for case in CASES if case["expect"] == "accept"]


def test_a_fresh_service_is_accepted(judge, plain_service):
    assert judge(plain_service) == []


@pytest.mark.parametrize("case", **named(REJECTED))
def test_it_is_rejected_with_file_line_and_rule(judge, plain_service, tmp_path, case):
    violations = judge(lay(plain_service, tmp_path, case))
    place = case["at"].replace("{package}", PACKAGE)
    told = [str(one) for one in violations if one.rule == case["rule"]]
    assert any(message.startswith(f"{place}:") for message in told), violations
    for violation in violations:
        assert len(violation.advice) > 20, f"says too little: {violation}"


@pytest.mark.parametrize("case", **named(ACCEPTED))
def test_it_is_no_false_alarm(judge, plain_service, tmp_path, case):
    assert [str(one) for one in judge(lay(plain_service, tmp_path, case))] == []


def test_every_case_is_judged_and_names_are_unique():
    judged = [*REJECTED, *ACCEPTED, *(case for case in CASES if "commands" in case)]
    assert {case["name"] for case in judged} == {case["name"] for case in CASES}
    assert max(Counter(case["name"] for case in CASES).values()) == 1


def test_every_rule_has_a_case(judge, plain_service):
    import architecture

    source = "".join(
        path.read_text(encoding="utf-8")
        for path in (plain_service / "tests" / architecture.__name__).glob("*.py")
    )
    rules = {case["rule"] for case in REJECTED}
    assert len(rules) >= 20
    for rule in rules - {"generate-law", "evaluation-law"}:
        assert f'"{rule}"' in source
