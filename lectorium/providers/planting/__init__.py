"""How the hostile model lies: every sentence it plants is false or unsupported by construction, and labelled so.

Pure rules on strings with a given source of chance. The escape test measures with them what the training of the
shipped cross-encoder taught it; therefore nothing here is shared with `training`: no code, no word list, no template.
"""

from .lines import KINDS, DraftLine, LieMaterial, Note
from .rules import RULES

__all__ = ["KINDS", "RULES", "DraftLine", "LieMaterial", "Note"]
