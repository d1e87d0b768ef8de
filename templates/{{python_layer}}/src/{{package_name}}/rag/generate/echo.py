"""Says the question back and quotes the first passage: it shows the wiring, and knows nothing."""

from collections.abc import Sequence

from ..contracts import Passage, Prompt, Reply
from .reply import DECLINED, CitedQuote, encode_reply


class EchoGenerator:
    """Replies without a model, in the form that a model is asked for."""

    def generate(self, prompt: Prompt, question: str, passages: Sequence[Passage]) -> Reply:
        """Cite the first line with a word in it, of the first passage that has one."""
        for number, passage in enumerate(passages, start=1):
            for line in passage.chunk.text.splitlines():
                if any(character.isalnum() for character in line):
                    cited = [CitedQuote(number, line.strip())]
                    return Reply(encode_reply(f"You asked: {question} [{number}]", cited))
        return Reply(DECLINED)
