"""How numbers stand in JSON, and text in messages."""

import click
from acme_search.views import print_json
from click.testing import CliRunner

NUMBERS = [
    *(0, 1, -1, 0.1, 1 / 3, 2 / 3, 0.5, 100, 12345.678, 1e15, 123456789012345.6, 0.1 + 0.2),
    *(0.001, 0.0001, 0.00012345, 0.00001, 0.000012345, 0.00000999, 1e-6, 1.5e-7, 2.5e-10),
    *(5e-324, -0.0, -2e-7, 0.9999999999999999, 1.0000000000000002),
]
TEXTS = [
    *(
        "plain",
        "it's",
        'say "so"',
        'it\'s "so"',
        "a\\b",
        "line\nand\r\ttab",
        "",
        "\x00\x1f\x7f\x9f",
    ),
    *("é 退货 😀", "\xa0\u2028\ufeff\u200b\u3000", "\U000e0001 \U0010ffff", "\xad"),
]


def vectors() -> dict[str, object]:
    return {
        "numbers": [{"number": number, "json": _printed(number)} for number in NUMBERS],
        "quoted": [{"text": text, "quoted": repr(text)} for text in TEXTS],
    }


def _printed(number: float) -> str:
    @click.command()
    def command() -> None:
        print_json("x", {"number": number})

    text = CliRunner().invoke(command).output
    return text.split('"number": ')[1].split("\n")[0]
