"""What the compiler and HaluGate say to editors, as it is raised or stored: in English."""

from articles.compiling import NO_EDITOR
from articles.domain.halugate import FLAGS, FOLLOWS, IN_PART, NOT_PROVED, SOURCE_GONE
from articles.drafting import CUT, PROSE
from lectorium.texts.wordings import MessageWording

_TEXTS = (
    *FLAGS.values(),
    *(FOLLOWS, IN_PART, NOT_PROVED, SOURCE_GONE, NO_EDITOR, CUT, PROSE),
    "see the claim",
    "The model did not answer ({reason}), so this is an anthology of clips instead.",
    "The index cannot be searched now ({reason}). Compile it again later.",
    "Nothing about “{topic}” was found in what you may read. Word it as the lectures do, or import some.",
    "HaluGate has not checked this compile yet. Wait until it has.",
    "Its risk is high, so a reviewer has to look at the flagged sentences first.",
    "No sentence of it passed, so readers would see an empty page. Compile it again.",
    # states and verdicts
    "not checked yet",
    "not compiled",
    "anthology",
    *("low", "medium", "high"),
    # articles/services.py, compiling.py: the history
    *("Added", "Changed", "Compile asked for"),
    "Compile {number} reviewed",
    "Published compile {number}",
    "Taken back after a check: a source changed",
)
WORDINGS = tuple(map(MessageWording, _TEXTS))
