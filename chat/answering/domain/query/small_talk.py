"""Messages to the assistant that no source can answer: greetings, thanks, "what can you do?"."""

import re
from enum import StrEnum

from corpus.domain.text.folding import fold


class SmallTalk(StrEnum):
    GREETING = "greeting"
    THANKS = "thanks"
    GOODBYE = "goodbye"
    ABILITIES = "abilities"
    MAKER = "maker"
    WELLBEING = "wellbeing"
    OPINION = "opinion"


# As folding writes them: Hindi in Latin letters, no diacritics.
_GREETINGS = (
    "hi|hello|hey|greetings|good (?:morning|afternoon|evening|day)|hallo|gruss gott|guten (?:tag|morgen|abend)|"
    "hola|buenos dias|buenas (?:tardes|noches)|bonjour|bonsoir|salut|namaste|namaskara?|ciao|salve|buon ?giorno|"
    "buonasera|hoi|goede(?:morgen|middag|navond)|ola|oi|bom dia|boa (?:tarde|noite)|selamat (?:pagi|siang|malam)|halo|"
    "привет|здравствуи(?:те)?|добрыи (?:день|вечер)|доброе утро|assalamu alaikum|السلام عليكم|مرحبا|नमस्कार|হ্যালো|你好"
)
_THANKS = (
    "(?:ok |okay |great |perfect |many |no )*(?:thanks|thank you)(?: very much| so much| a lot)?|"
    "danke(?: schon)?|vielen dank|(?:muchas )?gracias|merci(?: beaucoup)?|dhanyavada?|sukriya|grazie(?: mille)?|"
    "dank je(?: wel)?|bedankt|(?:muito )?obrigad[oa]|спасибо|terima kasih|شكرا|谢谢"
)
_GOODBYES = (
    "bye(?: bye)?|goodbye|good night|see you(?: later| soon)?|take care|farewell|tschuss|auf wiedersehen|adios|"
    "hasta luego|au revoir|arrivederci|tot ziens|tchau|adeus|до свидания|пока|sampai jumpa|再见"
)
_GREETED = "there|again|all|everyone|friends?|lectorium|zusammen|a todos|a tous|a tutti|ji"
_SAID = {
    SmallTalk.GOODBYE: re.compile(rf"(?:(?:{_GOODBYES})(?: (?:{_GREETED}|now))*(?: |$))+"),
    SmallTalk.THANKS: re.compile(rf"(?:(?:{_THANKS})(?: (?:{_GREETED}|for \w+(?: \w+)?))*(?: |$))+"),
    SmallTalk.GREETING: re.compile(rf"(?:(?:{_GREETINGS})(?: (?:{_GREETED}))*(?: |$))+"),
}
_LEAD = re.compile(rf"(?:(?:{_GREETINGS}|{_THANKS}|and|but|so|then|ok|okay|please)(?: (?:{_GREETED}))* )*")
_LIKES = "like|love|hate|prefer|enjoy"
_YOU = "you|lectorium|this(?: site| app| tool| bot| thing)?"
# Each is the whole question, but for what stands before it. "Who are you to judge another?" is a lecturer's own.
_ASKED = {
    SmallTalk.WELLBEING: re.compile(r"how are you(?: doing| feeling| today| all)*|how(?: is|s) it going|whats up"),
    SmallTalk.MAKER: re.compile(
        rf"who (?:made|built|created|trained|wrote|runs|owns|developed|is behind) (?:{_YOU}|it)|"
        r"who are you|what are you|what(?: is|s) your name|what is (?:this|lectorium)(?: site| app| tool| bot)?|"
        r"are you (?:an? )?(?:ai|bot|robot|machine|human|person|alive|conscious|real|chatgpt|chatbot)"
    ),
    SmallTalk.ABILITIES: re.compile(
        rf"(?:what|how) (?:all )?(?:can|do|could) (?:{_YOU}|i)(?: all)? (?:do|ask|know|help|answer|search|work|use)"
        r"(?: (?:here|for me|me|about|you|with|this|it))*|(?:can|could) you help(?: me)?|help(?: me)?|"
        r"how does (?:this|it|lectorium)(?: site| app| tool)? work|what (?:questions|things|kind of questions) can i "
        r"ask(?: you| here)?|what(?: is|s) (?:in (?:here|this library|this collection|the corpus)|here)|"
        r"what (?:lectures|texts|books|sources) (?:do you have|are (?:there|here))|who can you quote"
    ),
}
# Questions for the assistant's opinion. "Do you believe…" may be a lecturer's own question, and is searched.
_OPINION = re.compile(
    r"what(?: is|s) your (?:own |personal )?(?:favou?rite|opinion|view|take)\b|"
    r"what are your (?:own |personal )?(?:favou?rites?|opinions?|views|thoughts|feelings)\b|"
    r"what do you (?:personally |yourself )?think (?:about|of)\b|how do you feel\b|"
    rf"do you (?:personally |yourself )?(?:{_LIKES})\b|(?:what|who|which(?: \w+)?) do you (?:{_LIKES})\b|"
    r"would you rather\b"
)


def small_talk_of(text: str) -> SmallTalk | None:
    """The kind of small talk; None for a question to the sources."""
    said = fold(text)
    for kind, pattern in _SAID.items():
        if pattern.fullmatch(said):
            return kind
    lead = _LEAD.match(said)
    rest = said[lead.end() :] if lead else said
    for kind, pattern in _ASKED.items():
        if pattern.fullmatch(rest):
            return kind
    return SmallTalk.OPINION if _OPINION.match(rest) else None
