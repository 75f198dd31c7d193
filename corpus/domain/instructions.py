"""Sentences in a source that give orders to a machine. They are shown as text, but never used as evidence.

Otherwise an editor of a source could plant an order to state something and have the statement cited to that order.
Commands to readers are left alone; scripture is full of them.
"""

import re

from .text.sentences import sentence_spans

_MACHINE = r"""(?:
    (?:a\.?i\.?|automated|artificial\s+intelligence|language|chat)[\s-]+(?:models?|agents?|assistants?|systems?|readers?|bots?)
    | chat-?bots?\b | llms?\b | gpt\b | (?:(?:the|this|our|an?)\s+)?(?:ai|assistant|bot)\b
)"""
_READER = r"(?:(?:the|every|each|all|any|your|its)\s+)?(?:users?|readers?|askers?|questioners?)"
_TELL = r"""(?:say|state|tell|inform|answer|reply|respond|repeat|claim|write|mention|include|add|output|print|assert|
    report)"""
_FORMS = re.compile(
    rf"""
    ^\W*(?:system|assistant|user|instructions?|prompt|note|message|attention)\W*(?:to|for)?\W*{_MACHINE}
    | ^\W*\[?(?:system|assistant|developer|admin)\]?\s*(?:prompt|message|note|override)?\s*[:>\]]
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
    | ^\W*(?:please\s+)?{_TELL}\s+(?:to\s+)?{_READER}\s+that\b
    | \b(?:when|if)\s+(?:asked|summari[sz]ing|answering|quoting|citing)\b.{{0,40}}\b(?:always|also|only)\s+{_TELL}\b
    | ^\W*(?:(?:new|updated|important|urgent|further|hidden)\s+)*(?:instructions?|override|directive|prompt)\s*[:>—]
    | ^\W*(?:assistant|chat-?bot|model)\s*,
    | ^\W*(?:begin|start|open|end|finish|close|preface)\s+(?:your|every|each|the)\s+(?:answer|reply|response|output)\b
    | \b(?:whoever|anyone\s+who|everyone\s+who|if\s+you|when\s+you)\s+(?:summari[sz]es?|quotes?|cites?|translates?)\s+
      (?:this|the)\s+(?:text|passage|page|document|source)
    | \bwhen\s+asked\s+about\s+(?:this|the)\s+(?:text|passage|page|document|source|lecture)
    | <\|?(?:im_start|system|assistant|inst)\b | \[/?inst\]
    """,
    re.IGNORECASE | re.VERBOSE,
)


def addresses_a_machine(sentence: str) -> bool:
    """Whether the sentence gives orders to a program that reads it."""
    return bool(_FORMS.search(sentence))


def without_orders(text: str) -> str:
    """The text with spaces in place of each sentence that addresses a machine, so that offsets stay valid."""
    for start, end in sentence_spans(text):
        if addresses_a_machine(text[start:end]):
            text = text[:start] + " " * (end - start) + text[end:]
    return text
