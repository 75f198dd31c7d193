"""The sentences of answers, which staff read too."""

from chat.conversations.wordings import WORDINGS as WORDINGS
