"""How the hostile model lies: every planted sentence is false or unsupported by construction, and labelled so.

Pure rules on strings with a given random source. The escape test uses them to measure the shipped cross-encoder, so
they share no code, word list or template with `training`.
"""

from .lines import KINDS, DraftLine, LieMaterial, Note
from .rules import RULES

__all__ = ["KINDS", "RULES", "DraftLine", "LieMaterial", "Note"]
