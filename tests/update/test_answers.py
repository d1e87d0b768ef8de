"""Questions that come, go and change, and answers changed in an update."""

import pytest
from scene import FIRST, LINES, QUESTIONS, snapshot

NEW_QUESTION = QUESTIONS + "size: {type: int, default: 7, help: Size of it}\n"
PYTHON = FIRST["files/src/{{package_name}}/stage.py"]


def test_a_new_question_takes_its_default_and_says_so(scene):
    scene.release({"copier.yml": NEW_QUESTION})
    done = scene.update()
    assert done.returncode == 0, done.stderr
    assert "size: 7    Size of it" in done.stdout
    assert scene.answers()["size"] == 7


def test_a_new_question_takes_an_answer_that_is_given(scene):
    scene.release({"copier.yml": NEW_QUESTION})
    assert scene.update("--data", "size=8").returncode == 0
    assert scene.answers()["size"] == 8


def test_a_choice_that_is_gone_is_refused(scene):
    scene.release({"copier.yml": QUESTIONS.replace("[red, green, blue]", "[green, blue]")
                   .replace("default: red", "default: green")})  # fmt: skip
    assert "colour: green" in (scene.plain() / ".copier-answers.yml").read_text()
    before = snapshot(scene.service)
    done = scene.update()
    assert done.returncode == 2
    assert "colour: 'red' is no choice; choose one of green, blue" in done.stderr
    assert "--data colour=VALUE" in done.stderr
    assert snapshot(scene.service) == before
    assert scene.update("--data", "colour=blue").returncode == 0
    assert scene.answers()["colour"] == "blue"


def test_an_answer_that_a_new_validator_rejects_is_refused(scene):
    tightened = QUESTIONS.replace(
        "default: Acme}",
        "default: Zebra, validator: \"{% if project_name[0] != 'Z' %}Z{% endif %}\"}",
    )
    scene.release({"copier.yml": tightened})
    assert "project_name: Zebra" in (scene.plain() / ".copier-answers.yml").read_text()
    done = scene.update()
    assert done.returncode == 2
    assert "project_name: 'Acme' is not valid in the new version" in done.stderr


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [("colour=pink", "'pink' is no choice"), ("color=red", "did you mean colour?")],
)
def test_an_answer_that_the_template_does_not_take_is_refused(scene, answer, complaint):
    done = scene.update("--data", answer)
    assert done.returncode == 2
    assert complaint in done.stderr


def test_an_option_changed_in_the_update_keeps_edited_files(scene):
    scene.edit({".github/checks.yml": "on: push\n" + LINES + "ours: true\n"})
    plain = scene.plain(data={"ci": "none"})
    assert not (plain / ".github/checks.yml").exists()
    done = scene.update("--data", "ci=none")
    assert done.returncode == 1, done.stderr
    assert scene.read(".github/checks.yml").endswith("ours: true\n")
    assert "  .github/checks.yml: Keep it as your own, or delete it." in done.stdout
    assert scene.answers()["ci"] == "none"


def test_an_option_changed_in_the_update_takes_untouched_files_away(scene):
    assert scene.update("--data", "ci=none").returncode == 0
    assert not (scene.service / ".github").exists()


def test_switching_the_language_keeps_what_was_written(scene):
    scene.edit({"src/acme/stage.py": "def ours():\n    return 2\n", "src/acme/own.py": "x = 1\n"})
    plain = scene.plain(data={"language": "typescript"})
    assert not (plain / "src/acme/stage.py").exists()
    done = scene.update("--data", "language=typescript")
    assert done.returncode == 1, done.stderr
    assert scene.read("src/acme/stage.py") == "def ours():\n    return 2\n"
    assert scene.read("src/acme/own.py") == "x = 1\n"
    assert scene.read("ts/stage.ts") == FIRST["files/ts/stage.ts"]


def test_a_renamed_service_keeps_its_package(scene):
    scene.edit({"src/acme/stage.py": str(PYTHON) + "# ours\n"})
    scene.release({"src/{{package_name}}/stage.py": "import os\n\n" + str(PYTHON)})
    done = scene.update("--data", "project_name=Beehive")
    assert done.returncode == 0, done.stderr
    assert scene.read("README.md").startswith("# Beehive\n")
    assert scene.answers()["package_name"] == "acme"
    assert scene.read("src/acme/stage.py") == "import os\n\n" + str(PYTHON) + "# ours\n"


def test_a_package_renamed_by_hand_takes_the_changes_along(scene):
    scene.git("mv", "src/acme", "src/beehive")
    scene.edit({})
    scene.release({"src/{{package_name}}/stage.py": "import os\n\n" + str(PYTHON)})
    assert "import os" not in (scene.plain() / "src/beehive/stage.py").read_text()
    done = scene.update()
    assert done.returncode == 0, done.stderr
    assert scene.read("src/beehive/stage.py") == "import os\n\n" + str(PYTHON)
    assert not (scene.service / "src/acme").exists()
