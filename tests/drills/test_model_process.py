"""The process that computes for the others is killed under a real site."""

import pytest

pytestmark = pytest.mark.slow


async def test_while_the_model_process_is_away_a_question_fails_and_is_recorded_and_the_next_is_answered(new_site):
    site = new_site(LECTORIUM_INFERENCE="")
    site.environment["LECTORIUM_INFERENCE"] = str(site.folder / "models.sock")
    models = site.start_models()
    site.start_web(LECTORIUM_WARM="1")
    reader = site.reader()
    assert (await reader.ask())[-1]["outcome"] == "grounded"
    models.kill()
    models.wait(30)
    assert (await reader.ask("What does the cook say about the salt?"))[-1]["outcome"] == "failed"
    assert site.status("lectures/")[0] == 200
    assert site.query("SELECT count(*) FROM chat_turn WHERE outcome = 'failed'") == "1"
    site.start_models()
    assert (await reader.ask("Why did Arjuna lay his bow aside?"))[-1]["outcome"] != "failed"
