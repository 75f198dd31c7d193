"""A reader's conversations, exported in the one response schema; and what an export says when it is checked again."""

import asyncio
import json
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from chat.answering.ask import operator
from chat.conversations.domain.rechecking import CitationStatus
from chat.conversations.export_rows import export_rows
from chat.conversations.recheck import citations_recheck
from chat.management.commands.recheck import references_of
from chat.models import Conversation, Turn
from corpus.models import Chunk, Collection, Lecture
from corpus.services.publishing import source_withdraw
from tests.chat.conftest import VTT
from tests.chat.test_commands import SCHEMA
from tests.chat.turns import run_recorded

QUESTION = "Who refused to bow to the newly made man?"


@pytest.fixture
def alices(corpus, people):
    """An answer and a refusal of Alice's."""
    viewer = replace(operator(), user_id=people["alice"].pk)
    first = asyncio.run(run_recorded(QUESTION, viewer))[0]
    asyncio.run(run_recorded("Who discovered penicillin in London?", viewer, conversation=first.conversation_id))
    return first


def run(*arguments):
    said = StringIO()
    call_command(*map(str, arguments), stdout=StringIO(), stderr=said)
    return said.getvalue().strip()


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_an_export_holds_each_turn_as_its_reader_got_it_and_no_name(alices, tmp_path):
    out = tmp_path / "alice.jsonl"
    assert run("export_conversations", "--user", "alice", out).startswith("2 turns of 1 conversations written to")
    answer, refusal = lines(out)
    more = {"conversation", "asker", "asked_at", "feedback"}
    assert set(answer) - more >= SCHEMA
    stored = Turn.objects.get(pk=alices.turn_id).response
    assert {name: value for name, value in answer.items() if name not in more} == stored
    assert [reference["n"] for reference in answer["references"]] == [cited["n"] for cited in answer["citations"]]
    assert (refusal["outcome"], refusal["references"]) == ("refused", [])
    assert answer["asker"] == refusal["asker"] != ""
    assert "alice" not in json.dumps([answer, refusal])


def test_a_running_turn_is_left_out(alices, tmp_path):
    Turn.objects.filter(pk=alices.turn_id).update(outcome="")
    assert run("export_conversations", "--user", "alice", tmp_path / "out.jsonl").startswith("1 turns")


def test_a_folder_that_is_not_there_is_named(alices, tmp_path):
    with pytest.raises(CommandError, match=r"absent/out\.jsonl cannot be written: .* no folder .*absent; create it"):
        run("export_conversations", "--user", "alice", tmp_path / "absent" / "out.jsonl")


def standings(tmp_path):
    run("export_conversations", "--user", "alice", tmp_path / "out.jsonl") if not (
        tmp_path / "out.jsonl"
    ).exists() else 0
    said = run("recheck", tmp_path / "out.jsonl", tmp_path / "checked.jsonl")
    checked = lines(tmp_path / "checked.jsonl")
    return said, {
        citation["standing"] for row in checked for citation in row["citations"] if "first-steps" in citation["address"]
    }


def import_anew(tmp_path, text):
    path = tmp_path / "open" / "first-steps.vtt"
    path.write_text(text, encoding="utf-8")
    call_command("import_lectures", str(tmp_path / "open"), verbosity=0)


def test_an_answer_from_an_unchanged_corpus_still_holds(alices, tmp_path):
    said, found = standings(tmp_path)
    assert found == {"unchanged"}
    assert said.endswith("citations of 2 answers: 1 unchanged, 0 moved, 0 changed, 0 withdrawn")
    import_anew(tmp_path, VTT)
    assert standings(tmp_path)[1] == {"unchanged"}


def test_after_an_import_that_adds_words_around_it_the_quote_has_moved(alices, tmp_path):
    standings(tmp_path)
    import_anew(tmp_path, VTT.replace("The banyan tree", "Listen well. The banyan tree"))
    assert standings(tmp_path)[1] == {"moved"}


def test_after_an_import_that_says_it_otherwise_the_source_has_changed(alices, tmp_path):
    standings(tmp_path)
    import_anew(tmp_path, VTT.replace("Only Iblis refused", "Iblis alone declined"))
    assert standings(tmp_path)[1] == {"changed"}


def test_a_withdrawn_source_is_said_to_be_withdrawn(alices, tmp_path):
    standings(tmp_path)
    source_withdraw(source=Lecture.objects.get(key="first-steps"))
    assert standings(tmp_path)[1] == {"withdrawn"}


def test_who_may_not_see_a_collection_does_not_learn_that_its_words_are_still_there(alices):
    (row, _) = export_rows(Conversation.objects.all())
    references = references_of(row, "x")
    garden = [Collection.objects.get(key="garden").pk]
    assert {citation.standing for citation in citations_recheck(references, garden)} == {CitationStatus.WITHDRAWN}
    everywhere = list(Collection.objects.values_list("pk", flat=True))
    assert {citation.standing for citation in citations_recheck(references, everywhere)} == {CitationStatus.UNCHANGED}


def test_a_quote_is_found_in_another_source_that_has_it(alices, tmp_path):
    (row, _) = export_rows(Conversation.objects.all())
    (cited,) = references_of(row, "x")
    (tmp_path / "other.txt").write_text(f"He began. {cited.quote} He went on.", encoding="utf-8")
    call_command("import_lectures", str(tmp_path / "other.txt"), verbosity=0)
    Chunk.objects.filter(lecture__key="first-steps").update(retrievable=False)
    (found,) = citations_recheck([cited])
    assert (found.standing, found.now_at) == (CitationStatus.MOVED, "other:1")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 1: not JSON"),
        ('{"id": "a", "citations": []}', "line 1: the field 'references' is missing"),
        ('{"id": "a", "citations": [], "references": [{"n": 1}]}', "id 'a': its citations do not match its references"),
        ('{"id": "a", "citations": [3], "references": []}', "id 'a': its citations do not match its references"),
    ],
)
def test_what_is_no_export_is_refused_before_anything_is_written(tmp_path, line, message):
    (tmp_path / "in.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(CommandError, match=message):
        run("recheck", tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


def test_a_missing_folder_for_what_was_rechecked_is_named_before_the_corpus_is_searched(tmp_path, monkeypatch):
    def searching(references):
        raise AssertionError("nothing is looked up before the folder is known to be there")

    monkeypatch.setattr("chat.management.commands.recheck.citations_recheck", searching)
    (tmp_path / "in.jsonl").write_text('{"id": "a", "citations": [], "references": []}', encoding="utf-8")
    with pytest.raises(CommandError, match="absent; create it first"):
        run("recheck", tmp_path / "in.jsonl", tmp_path / "absent" / "out.jsonl")


def test_what_ask_and_ask_file_print_can_be_checked_again(corpus, tmp_path):
    printed, asked, answers = StringIO(), tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    call_command("ask", QUESTION, "--json", "--mode", "instant", stdout=printed)
    (tmp_path / "answer.json").write_text(printed.getvalue(), encoding="utf-8")
    asked.write_text(json.dumps({"id": 7, "question": QUESTION}), encoding="utf-8")
    run("ask_file", asked, answers, "--mode", "instant")
    for saved in (tmp_path / "answer.json", answers):
        run("recheck", saved, tmp_path / "checked.jsonl")
        ((found,),) = [row["citations"] for row in lines(tmp_path / "checked.jsonl")]
        assert found["standing"] == "unchanged"
    assert lines(tmp_path / "checked.jsonl")[0]["id"] == 7
