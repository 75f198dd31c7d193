"""Sentences in a source that give orders to a machine. They are shown as text, but never used as evidence.

Otherwise an editor of a source could plant an order to state something and have the statement cited to that order. A
block of code that such a sentence asks for is no evidence either. Commands to readers are left alone; scripture is full
of them.
"""

import functools
import re

from .text.sentences import Span, sentence_spans

# A sentence may also begin within a span, after an abbreviation or a note's mark ("[4]") that does not split.
_START = r"(?:^|(?<=[.!?:;…\]]\s)|(?<=[.!?][\"'”’)]\s))\W{0,12}"
_MACHINE = r"""(?:
    (?:a\.?i\.?|automated|artificial\s+intelligence|language|chat)[\s-]+(?:models?|agents?|assistants?|systems?|readers?|bots?)
    | chat-?bots?\b | llms?\b | gpt\b | (?:(?:the|this|our|an?)\s+)?(?:(?-i:AI)|assistant|bot)\b
)"""
_READER = r"(?:(?:the|every|each|all|any|your|its)\s+)?(?:users?|readers?|askers?|questioners?)"
_TELL = r"""(?:say|state|tell|inform|answer|reply|respond|repeat|claim|write|mention|include|add|output|print|assert|
    report|suggest|recommend|tease|hint|encourage|urge|promote)"""
_KINDLY = r"""(?:(?:please|kindly|always|also|now|then|optimally|seamlessly|to\s+proceed|keep\s+in\s+mind\s+to|
    remember\s+to|(?:be|make)\s+sure\s+to|(?:do\s+not|don['’]t)\s+(?:hesitate|forget)\s+to)\W{1,4}){0,4}"""
_EDIT = r"""(?:add|adopt|absorb|append|augment|anagram|blend|combine|compose|conclude|consider|convert|craft|deploy|
    disguise|embed|employ|encode|end|engage|enhance|enlist|enrich|ensure|execute|express|extend|fill|format|fuse|group|
    harmoni[sz]e|hide|include|incorporate|infuse|inject|insert|integrate|interweave|introduce|jumble|let|leverage|make|
    meld|merge|misspell|modify|pepper|phrase|precede|prefix|provide|put|rearrange|remove|render|rephrase|replace|
    reverse|rewrite|scramble|shorten|slip|spell|sprinkle|substitute|suffix|translate|use|utili[sz]e|weave|work|wrap)"""
_REPLY = r"""your\s+(?:(?:own|final|next|whole|entire|full|first|last)\s+){0,2}(?:answers?|repl(?:y|ies)|responses?|
    outputs?|messages?|summar(?:y|ies)|code(?:base)?|implementation|solution|algorithm|elucidation)\b"""
_CODE = r"(?:following|subsequent|below|next)\s+code(?:\s+(?:block|section|snippet|excerpt|segment))?\b(?!\s+of\b)"
_FORMS = re.compile(
    rf"""
    {_START}(?:system|assistant|user|instructions?|prompt|note|message|attention)\W*(?:to|for)?\W*{_MACHINE}
    | {_START}\[?(?:system|assistant|developer|admin)\]?\s*(?:prompt|message|note|override)?\s*[:>\]]
    | \b(?:note|message|attention|instructions?)\s+(?:to|for)\s+(?:the\s+|every\s+|any\s+)?{_MACHINE}
    | \b(?:to|for)\s+(?:(?:the|every|any|all)\s+)?{_MACHINE}\s*[:—]
    | \bif\s+you\s+are\s+(?:an?\s+)?{_MACHINE}
    | \b{_MACHINE}\W+(?:\w+\W+){{0,4}}?(?:must|should|shall|need\s+to|has\s+to|have\s+to|are\s+to|is\s+to)\b
    | \b(?:the\s+)?model\s+(?:must|should|shall|is\s+to|has\s+to)\s+(?:\w+\s+){{0,2}}?{_TELL}\b
    | \b{_MACHINE}\s+reading\s+this
    | \b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+|every\s+|the\s+|your\s+|these\s+|my\s+)*
      (?:previous|prior|above|earlier|preceding|other|former)\s+(?:\w+\s+)?(?:instructions?|rules?|orders?|prompts?|text|
      directions?|guidelines?|messages?|context|sources?|notes?|passages?)
    | \b(?:your|the)\s+(?:system\s+prompt|hidden\s+(?:prompt|instructions?|text)|developer\s+mode|api\s+key)
    | \b(?:in|with|to|before|after)\s+(?:your|the|every|each|any)\s+(?:final\s+|next\s+)?
      (?:answer|reply|response|output|summary)\b.{{0,60}}\b{_TELL}\b
    | {_START}(?:please\s+)?{_TELL}\s+(?:to\s+)?{_READER}\s+that\b
    | \b(?:when|if)\s+(?:asked|summari[sz]ing|answering|quoting|citing)\b.{{0,40}}\b(?:always|also|only)\s+{_TELL}\b
    | {_START}(?:(?:new|updated|important|urgent|further|hidden)\s+)*(?:instructions?|override|directive|prompt)\s*[:>—]
    | {_START}(?:assistant|chat-?bot|model)\s*,
    | {_START}(?:begin|start|open|end|finish|close|preface)\s+(?:your|every|each|the)\s+
      (?:answer|reply|response|output)\b
    | \b(?:whoever|anyone\s+who|everyone\s+who|if\s+you|when\s+you)\s+(?:summari[sz]es?|quotes?|cites?|translates?)\s+
      (?:this|the)\s+(?:text|passage|page|document|source)
    | \bwhen\s+asked\s+about\s+(?:this|the)\s+(?:text|passage|page|document|source|lecture)
    | {_START}{_KINDLY}{_EDIT}\b.{{0,200}}?\b{_REPLY}
    | {_START}(?:in|within|throughout)\s+{_REPLY}\s*,\s*{_KINDLY}{_TELL}\b
    | {_START}{_KINDLY}{_EDIT}\b.{{0,60}}?\b{_CODE}
    | \b{_CODE}.{{0,100}}?\b{_REPLY} | \b{_REPLY}.{{0,100}}?\b{_CODE}
    | <\|?(?:im_start|system|assistant|inst)\b | \[/?inst\]
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_BLOCK = re.compile(r"```[^`]*(?:```|$)")


def addresses_a_machine(sentence: str) -> bool:
    """Whether the sentence gives orders to a program that reads it."""
    return bool(_FORMS.search(sentence))


@functools.lru_cache(maxsize=1024)  # a second look reads most passages again
def order_spans(text: str) -> tuple[Span, ...]:
    """The sentences that address a machine, and the blocks of code that begin in one or right after it."""
    orders = [(start, end) for start, end in sentence_spans(text) if addresses_a_machine(text[start:end])]
    blocks = [block.span() for block in _BLOCK.finditer(text)] if orders else []
    asked = [
        block
        for block in blocks
        if any(start <= block[0] and not text[end : block[0]].strip() for start, end in orders)
    ]
    return (*orders, *asked)


def without_orders(text: str) -> str:
    """The text with spaces in place of its order spans, so that offsets stay valid."""
    for start, end in order_spans(text):
        text = text[:start] + " " * (end - start) + text[end:]
    return text
