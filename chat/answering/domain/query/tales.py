"""Questions that ask to be told a story, and the story they ask for. By English words."""

import re

_TALE = r"(?:story|tale|parable|legend|anecdote|episode)"
_OF = r"(?:\s+(?:about|of|with|where|in which|on))?"
_REQUEST = re.compile(
    rf"^\W*(?:(?:please|can you|could you|would you|will you|so|now)\W+)*"
    rf"(?:(?:re)?tell|give|share|narrate|recount|remind)\b(?:\s+(?:me|us))?(?:\s+again)?(?:\s+(?:about|of))?\s+"
    rf"(?:the|that|a|an|her|his|your)\s+(?:\w+\s+)?(?:{_TALE}|one(?=\s+(?:about|of|with|where|in which)\b)){_OF}\b\s*"
    rf"|^\W*(?:and |so )?what(?:\s+(?:is|was)|['’]s)\s+(?:the|that|her|his)\s+{_TALE}{_OF}\b\s*"
    rf"|^\W*(?:and |so )?how\s+(?:does|did)\s+(?:the|that|her|his)\s+{_TALE}(?:\s+go)?{_OF}\b\s*",
    re.I,
)
_TELLING = re.compile(
    r"^\W*(?:(?:please|can you|could you|would you|so|now)\W+)*"
    r"(?:tell|remind)\s+(?:me|us)\s+(?:again\s+)?(?:about|of)\s+"
    r"(?=(?:the|that|a|an|her|his)\b.*\b(?:who|whose|when|night|day|evening|morning|time|year)\b)",
    re.I,
)


def tale_asked_for(question: str) -> str:
    """The story that a question asks to be told, without the request for it; "" where it asks for none.

    "Tell me the story of the potter" asks for "the potter". A request that names no story gives the whole question.
    """
    for pattern in (_REQUEST, _TELLING):
        if request := pattern.match(question):
            return question[request.end() :].strip(" .?!") or question
    return ""
