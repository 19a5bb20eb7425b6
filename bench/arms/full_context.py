"""The arm `full-context`: all texts of the forest before a model, and one call, where they fit into its window."""

from __future__ import annotations

from bench.arms.arm import Answerer, ModelArm, every_passage
from bench.arms.asking import LIMIT_TOKENS, answer_from
from bench.attempt import TOO_LONG, Asked, Reply
from forest.state import State
from navigator.chat import Chat
from navigator.meter import Meter, Use


def _open(state: State, chat: Chat) -> Answerer:
    nodes = (state.catalog.node(node_id) for node_id in state.catalog.ids(""))
    tokens = sum(passage.tokens for node in nodes for passage in state.catalog.passages(node))
    # A forest that is larger by far is not read to learn so.
    passages = every_passage(state) if tokens <= chat.window_tokens else ()

    def answer(asked: Asked) -> Reply:
        if not passages:
            return Reply((), TOO_LONG if tokens else "abstained", use=Use())
        return answer_from(Meter(chat), "rag", asked, passages, whole=True)

    return answer


ARM = ModelArm(
    "full-context", "all texts before a model, one call, where they fit", {"limit_tokens": LIMIT_TOKENS}, _open
)
