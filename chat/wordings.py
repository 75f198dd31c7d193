"""The sentences of answers, which staff read too."""

from chat.answering.domain.wordings import WORDINGS as WORDINGS
