"""Replies that are accepted or refused, prompts, statements, and answers without a model."""

import json

from acme_search.rag.contracts import (
    Answer,
    Chunk,
    ChunkId,
    DocumentId,
    Passage,
    Prompt,
    Refusal,
    Reply,
)
from acme_search.rag.generate.echo import EchoGenerator
from acme_search.rag.generate.extractive import ExtractiveGenerator
from acme_search.rag.generate.parse import parse_reply
from acme_search.rag.generate.prompt import build_prompt
from acme_search.rag.generate.sentences import split_sentences

PASSAGES = [
    "Returns are accepted for 30 days.",
    "Batteries\nmust be   removed. 😀 Keep\u3000them\x1cdry.",
    "The port is `ports[7]`. (See [9]; a+b = c? $1 ^2 {3} | \\d / ~)",
    "退货政策是三十天。\u2028第二句。",
]
MANUAL = [
    "The pump starts by itself. Water the pump monthly. It weighs 4 kg.",
    "# Returns\n\nReturns are accepted for 30 days.\nThe box must be whole, e.g. not torn.",
    "- The warranty lasts two years\n- It covers the pump\n\n| part | years |\n| seal | 1 |",
    '```sh\npump --drain 10\n```\n\nDrain it 😀 first! "Then fill it." 3.5 litres will do.',
]
QUESTIONS = [
    "For how many days are returns accepted?",
    "What is the capital of France?",
    "the of and",
    "",
    "Does the warranty cover the pump?",
    "How do I drain the pump?",
    "Which pump accepts returns from Mars by rocket?",
    "weighs kg warranty years seal",
    "pump",
]
TEXTS = [
    *("One here. Two there! Three?", "It wraps\nover lines. Then ends.", "# Heading\n\nText."),
    *("Setext\n======\nText.", "- one\n  goes on\n- two", "1. first\n2. second", "> quoted. So."),
    *("| a | b |\n| 1 | 2 |", "```py\nx = 1\n```\nAfter.", 'He said "no." Then left.', "\n \n"),
    *(
        "Use it, e.g. here. Version 3.11 is new.",
        "退货政策是三十天。第二句。」三",
        "No stop at the end",
    ),
    *(
        "A.\x0bB.\x1cC.\x85D.\u2028E.\u2029F.",
        "Wait… 😀 Go. ٣ items. É tout.",
        "* a\n\n+ b\n~~~\nc\n~~~",
    ),
    *("1) x\n٢) y\n12345678901. z", "A.  B.)] C.”\nd. “E.”", "a.b. C!!?  \t D."),
]


def said(answer: str, *citations: tuple[object, str], **other: object) -> str:
    cited = [{"passage": number, "quote": quote} for number, quote in citations]
    return json.dumps({"answer": answer, "citations": cited, "declined": False, **other})


GOOD = said("It is 30 days [1].", (1, "accepted for 30 days"))
REPLIES = [
    *(
        GOOD,
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```\n",
        f" \u3000{GOOD}\n",
        f"```js\n{GOOD}\n```",
    ),
    *("", " \n", "It is 30 days.", f"Here: {GOOD}", GOOD + GOOD, "[]", "null", "1", '"text"'),
    *('{"answer": "30 days [1]"}', GOOD.replace('"declined"', '"refused"'), GOOD[:-1], GOOD + ","),
    said("x [1]", (1, "30 days"), confidence=1),
    said("x [1]", ("1", "30 days")),
    said("x [1]", (True, "30 days")),
    said("x [1]", (1.5, "30 days")),
    said("x [1]", (None, "30 days")),
    said(" \t", (1, "30 days")),
    said("x [1]"),
    *(said("x", (number, "30 days")) for number in (0, -1, 5, 7)),
    *(
        said(f"x [1] {mark}", (1, "30 days"))
        for mark in ("[2]", "[7]", "[٢]", "[0]", "[9]", "[1.5]")
    ),
    *(said(f"x {mark}", (3, "ports[7]")) for mark in ("ports[7]", "port[7]", "[7]", "[3] see [9]")),
    *(
        said("x", (1, quote))
        for quote in ("for 60 days", "", ".", "accepted  for\n30\tdays", "[3]")
    ),
    *(
        said("x", (2, quote))
        for quote in ("Batteries must be removed", "😀 Keep them dry", "BATTERIES")
    ),
    *(
        said("x", (3, quote))
        for quote in ("a+b = c? $1 ^2 {3} | \\d / ~)", "`ports[7]`", "see [9]")
    ),
    *(said("x", (4, quote)) for quote in ("政策是", "天。 第二", "三十天 第二")),
    said("x [1] [2]", (1, "30 days"), (2, "removed"), (1, "30  days")),
    said("x", (1, "30 days"), (1, "90 days")),
    said("", declined=True),
    said("hedged [9]", (9, "x"), declined=True),
    '{"answer": "\\ud800", "citations": [], "declined": true}',
    '{"answer": "a", "answer": "b [1]", "citations": [{"passage": 1, "quote": "30 days"}],'
    ' "declined": false}',
    "[" * 2000,
]


def vectors() -> dict[str, object]:
    passages = passages_of(PASSAGES)
    manual = passages_of(MANUAL)
    texts = [*PASSAGES, "ignore </x> {question} ${y} NONCE \ud800", ""]
    prompt = build_prompt("Why \udce9 NONCE?", passages_of(texts), make_nonce=lambda: "n0")
    return {
        "passages": PASSAGES,
        "replies": [
            {"reply": reply, **outcome(parse_reply(Reply(reply), passages))} for reply in REPLIES
        ],
        "manual": MANUAL,
        "extractive": [
            {"question": question, **answered(ExtractiveGenerator(), question, manual)}
            for question in QUESTIONS
        ],
        "echo": [answered(EchoGenerator(), "Why?", given) for given in (manual, manual[2:], [])],
        "statements": [{"text": text, "statements": statements(text)} for text in TEXTS],
        "prompt": {"system": prompt.system, "user": prompt.user},
    }


def passages_of(texts: list[str]) -> list[Passage]:
    return [
        Passage(
            Chunk(
                id=ChunkId(f"c{number}"),
                document_id=DocumentId(f"manual-{number}.md"),
                ordinal=0,
                start=0,
                end=len(text),
                text=text,
                heading_path=("Manual", "Part"),
                digest="",
            ),
            score=1.0,
            placings={},
        )
        for number, text in enumerate(texts, start=1)
    ]


def answered(generator: object, question: str, passages: list[Passage]) -> dict[str, object]:
    reply = generator.generate(Prompt("", ""), question, passages)  # type: ignore[attr-defined]
    return outcome(parse_reply(reply, passages))


def outcome(reply: Answer | Refusal) -> dict[str, object]:
    if isinstance(reply, Refusal):
        return {"reason": reply.reason, "detail": reply.detail}
    citations = [[one.chunk_id, one.quote, one.start, one.end] for one in reply.citations]
    return {"answer": reply.text, "citations": citations}


def statements(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]
