"""How many SQL statements a turn costs, from its row to its last event; each is a round trip to the database."""

import pytest
from django.db.backends.utils import CursorWrapper

from chat.answering.ask import operator
from lectorium.threads import in_thread
from tests.chat.authors import give, speaking
from tests.chat.turns import run_recorded

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = "Who refused to bow to the newly made man?"
WRITTEN = "Only Iblis refused to bow to the newly made man [^1]."


@pytest.fixture
def statements(monkeypatch):
    """The SQL that any thread sends."""
    sent, execute = [], CursorWrapper.execute

    def noted(cursor, sql, params=None):
        sent.append(str(sql))
        return execute(cursor, sql, params)

    monkeypatch.setattr(CursorWrapper, "execute", noted)
    return sent


@pytest.mark.parametrize(("mode", "most"), [("instant", 40), ("auto", 46)])
async def test_a_turn_sends_no_more_statements_than_these(corpus, statements, settings, mode, most):
    settings.ANSWER_CACHE = False
    viewer = await in_thread(operator)
    await give("synthesize")
    for _ in range(2):  # the first turn of a process reads what is kept for the next
        statements.clear()
        with speaking("synthesize", WRITTEN):
            ended, _ = await run_recorded(QUESTION, viewer, mode=mode)
    assert ended.outcome == "grounded"
    assert len(statements) <= most, "\n".join(statements)
