"""The chat page against a scripted server: what the keys do, and what it does when things go wrong."""

import re

import pytest
from playwright.sync_api import expect

from chat.answering.domain.refusals import CLOSEST, DISCLAIMER

from .scripted import ScriptedServer, citation, clip, done, sentence, status, stored

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"


@pytest.fixture
def server(page):
    return ScriptedServer(page)


def ask(page, question="What dies?"):
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")


def focused(page, attribute):
    return page.evaluate("name => document.activeElement.getAttribute(name)", attribute)


def test_a_dropped_line_is_taken_up_where_it_was_left(page, site, server):
    server.answers |= {"ask": [status(), sentence(1)], "resume": [sentence(2), done()]}
    page.goto(site)
    ask(page)
    expect(page.locator(".sentence")).to_have_count(1)
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "true")
    server.drop()
    expect(page.locator("#banner")).to_contain_text("No connection")
    expect(page.locator(".sentence")).to_have_count(2)
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false")
    assert server.received[-1] == {"type": "resume", "turn": server.turn, "after": 2}


def test_a_reloaded_page_takes_up_the_running_answer_or_offers_to_ask_again(page, site, server):
    running = {"turn": server.turn, "question": "What dies?", "outcome": "", "response": {}}
    server.answers["resume"] = [status(), sentence(1), done("interrupted", complete=False)]
    stored(page, site, running)
    expect(page.locator(".sentence")).to_have_count(1)
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false")
    server.answers["ask"] = [status(), sentence(1), done()]
    page.get_by_role("button", name="Ask again").click()
    expect(page.locator(".sentence")).to_have_count(2)
    asked = [message for message in server.received if message["type"] == "ask"]
    assert [message["question"] for message in asked] == ["What dies?"]


def test_a_question_that_never_arrived_is_given_back(page, site, server):
    page.goto(site)
    ask(page, "Will it arrive?")
    expect(page.locator(".status")).to_be_visible()
    server.drop()
    expect(page.get_by_role("alert")).to_contain_text("lost")
    expect(page.get_by_label("Your question")).to_have_value("Will it arrive?")


def test_a_question_asked_before_the_connection_stands_goes_out_once_it_does(page, site, server):
    page.goto(site)
    server.answers["ask"] = [status(), sentence(1), done()]
    page.get_by_label("Your question").fill("What dies?")
    server.drop()
    expect(page.locator("#banner")).to_contain_text("No connection")
    page.keyboard.press("Enter")
    expect(page.locator("#log .chip")).to_have_count(1)
    assert [message["question"] for message in server.received if message["type"] == "ask"] == ["What dies?"]


def test_an_error_is_said_in_words_and_can_be_tried_again(page, site, server):
    fault = {"type": "error", "code": "failed", "message": "Something went wrong on our side.", "retryable": True}
    server.answers["ask"] = [status(), fault]
    page.goto(site)
    ask(page)
    expect(page.get_by_role("alert")).to_contain_text("Something went wrong on our side.")
    expect(page.get_by_label("Your question")).to_have_value("What dies?")
    server.answers["ask"] = [sentence(1), done()]
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".sentence")).to_have_count(1)


def test_escape_stops_an_answer_and_keeps_what_was_shown(page, site, server):
    server.answers |= {"ask": [status(), sentence(1)], "stop": [done("interrupted", complete=False)]}
    page.goto(site)
    ask(page)
    expect(page.locator(".sentence")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.get_by_text("Stopped.")).to_be_visible()
    expect(page.locator(".sentence")).to_have_count(1)
    assert server.received[-1] == {"type": "stop"}


def test_an_answer_stopped_before_anything_was_shown_does_not_speak_of_what_stands_above(page, site, server):
    server.answers |= {"ask": [status()], "stop": [done("interrupted", summary="", complete=False)]}
    page.goto(site)
    ask(page)
    expect(page.get_by_text("searching 8 lectures", exact=False)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Stopped before anything could be shown.")).to_be_visible()


def test_keys_move_between_citations_and_rest_while_writing(page, site, server):
    server.answers["ask"] = [status(), sentence(1), sentence(2), done()]
    page.goto(site)
    page.keyboard.press("/")
    page.keyboard.type("What [p?] dies?")
    expect(page.get_by_label("Your question")).to_have_value("What [p?] dies?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false")
    page.locator("h2.question").click()
    page.keyboard.press("]")
    assert focused(page, "data-n") == "1"
    expect(page.locator(".hovercard blockquote")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".hovercard")).to_be_hidden()
    page.keyboard.press("]")
    page.keyboard.press("Enter")
    expect(page.locator("#pinned .chip-n")).to_have_text("2")
    page.keyboard.press("Escape")
    assert focused(page, "data-n") == "2"
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()


def test_a_question_that_is_too_long_is_counted_and_stays_in_the_box(page, site, server):
    page.goto(site)
    ask(page, "x" * 2100)
    expect(page.locator("#counter")).to_have_text("100 too many")
    expect(page.get_by_label("Your question")).to_have_value("x" * 2100)
    assert server.received == []


def test_hostile_text_stays_text_wherever_it_is_shown(page, site, server):
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
    bad = citation(
        1, HOSTILE, title=HOSTILE, speaker=HOSTILE, url="javascript:alert(3)", media="https://elsewhere.example/a.mp3"
    )
    server.answers["ask"] = [
        status(),
        {"type": "sources", "items": [bad]},
        sentence(1, HOSTILE, citations=[bad]),
        {"type": "notice", "kind": "note", "message": HOSTILE},
        {
            "type": "refusal",
            "reason": HOSTILE,
            "message": HOSTILE,
            "searched": HOSTILE,
            "next_step": HOSTILE,
            "nearest": [bad],
        },
        {"type": "title", "title": HOSTILE},
        {"type": "suggestions", "items": [HOSTILE]},
        done(summary=HOSTILE, warnings=[{"type": HOSTILE, "message": HOSTILE}]),
    ]
    page.goto(site)
    ask(page, HOSTILE)
    page.locator(".chip").click()
    expect(page.locator("#pinned blockquote")).to_have_text(HOSTILE)
    assert page.locator("body img, [onerror], body script:not([type='application/json'])").count() == 0
    assert page.locator("a[href^='javascript'], #pinned a, #pinned .primary").count() == 0


def test_on_a_narrow_screen_sources_are_a_sheet_and_conversations_a_drawer(page, site, server):
    server.answers["ask"] = [status(), sentence(1), done()]
    page.set_viewport_size({"width": 375, "height": 740})
    page.goto(site)
    ask(page)
    expect(page.locator("#evidence")).to_be_hidden()
    page.locator(".chip").click()
    expect(page.locator("#pane mark")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#evidence")).to_be_hidden()
    assert focused(page, "data-n") == "1"
    page.get_by_role("button", name="Conversations").click()
    expect(page.locator("#conversations").get_by_role("link", name="What dies?")).to_be_visible()
    page.get_by_role("button", name="Close the conversations").click()
    expect(page.locator("#conversations")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_quote_is_played_from_two_seconds_early_and_softly_stops_at_its_end(page, site):
    page.goto(site)
    ask(page, "Why did Arjuna put down his bow?")
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false", timeout=60_000)
    playable = page.locator(".chip", has_text="Two Armies").first
    playable.click()
    card = page.locator("#pinned")
    start, end = map(float, re.search(r"#t=([\d.]+),([\d.]+)", card.get_by_role("link").get_attribute("href")).groups())
    expect(card.get_by_role("button", name="Pause")).to_be_visible()
    audio = page.locator("#dock audio")
    assert start - 2 <= audio.evaluate("audio => audio.currentTime") < start
    audio.evaluate("(audio, seconds) => { audio.currentTime = seconds; }", end - 0.7)
    expect(card.get_by_role("button", name="Play from here")).to_be_visible()
    assert end <= audio.evaluate("audio => audio.currentTime") < end + 0.6


def test_headings_lists_and_corrected_sources_are_drawn(page, site, server):
    server.answers["ask"] = [
        status(),
        sentence(1, "The eight steps", paragraph=0, quoted=False, kind="framing", citations=[], block="## "),
        sentence(1, "Not to harm comes first.", paragraph=1, quoted=False, block="- ", repair="moved"),
        sentence(2, "Truth comes second.", paragraph=2, quoted=False, block="2. ", repair="suggested"),
        sentence(3, "Seven kings crowned it.", paragraph=3, quoted=False, verdict="contradicted", citations=[]),
        done(outcome="partially_grounded"),
    ]
    page.goto(site)
    ask(page)
    expect(page.locator(".paragraph.heading")).to_have_text("The eight steps")
    expect(page.locator(".paragraph.item").first).to_contain_text("source corrected by the check")
    expect(page.locator(".paragraph.item").nth(1)).to_contain_text("2. Truth comes second.")
    expect(page.locator(".paragraph.item").nth(1)).to_contain_text("source found by the check")
    expect(page.locator(".sentence").last).to_contain_text("Source says otherwise")


def test_sentences_that_sources_disagree_on_say_so_in_words(page, site, server):
    message = "The sources disagree about the banyan: see [1] and [2]."
    server.answers["ask"] = [
        status(),
        sentence(1, "The banyan is ninety feet tall.", paragraph=0, quoted=False, conflicting=True, proof="verified"),
        sentence(3, "It is a tree.", paragraph=0, quoted=False),
        sentence(2, "The banyan is thirty feet tall.", paragraph=1, conflicting=True),
        done(warnings=[{"type": "CONFLICTING_SOURCES", "message": message}]),
    ]
    page.goto(site)
    ask(page)
    expect(page.locator(".sentence .verdict.conflicting")).to_have_text(["Conflicting sources", "Conflicting sources"])
    expect(page.locator(".sentence").nth(0)).to_contain_text("Verified")
    expect(page.locator(".sentence").nth(1)).not_to_contain_text("Conflicting sources")
    expect(page.locator(".sentence").nth(2)).to_contain_text("Quoted")
    expect(page.locator(".warnings")).to_have_text(message)


def contrast(locator):
    """Return the contrast of an element's text with its own background, 1..21 (WCAG 2.2)."""
    return locator.evaluate(
        """element => {
          const luminance = (colour) => {
            const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((one) => one / 255)
              .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const { color, backgroundColor } = getComputedStyle(element);
          const [low, high] = [luminance(color), luminance(backgroundColor)].sort((a, b) => a - b);
          return (high + 0.05) / (low + 0.05);
        }"""
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_pinned_chip_shows_its_number_whatever_its_verdict(page, site, server, scheme):
    page.emulate_media(color_scheme=scheme)
    verdicts = ["supported", "partial", "inferred", "contradicted"]
    server.answers["ask"] = [
        status(),
        *(sentence(n, quoted=False, citations=[citation(n, verdict=verdict)]) for n, verdict in enumerate(verdicts)),
        done(),
    ]
    page.goto(site)
    ask(page)
    for chip in page.locator("#log .chip").all():
        chip.click()
        assert contrast(chip.locator(".chip-n")) >= 4.5


def test_a_sentence_in_other_words_is_called_verified_only_where_its_proof_says_so(page, site, server):
    server.answers["ask"] = [
        status(),
        *(sentence(n, quoted=False, proof=proof) for n, proof in enumerate(["checked", "verified", ""], 1)),
        sentence(4, proof="quoted"),
        done(),
    ]
    page.goto(site)
    ask(page)
    words = ["Checked, in other words", "Verified", "Checked, in other words", "Quoted"]
    expect(page.locator(".sentence > .verdict")).to_have_text(words)
    names = [chip.get_attribute("aria-label") for chip in page.locator("#log .chip").all()]
    assert all(name.endswith(f", {word.lower()}") for name, word in zip(names, words, strict=True))


def test_a_chip_whose_verdict_is_not_its_sentences_says_so_without_colour(page, site, server):
    both = [citation(1), citation(2, verdict="partial")]
    server.answers["ask"] = [
        status(),
        sentence(1, quoted=False, verdict="partial", citations=both, proof="verified"),
        sentence(2, quoted=False, citations=both, proof="verified"),
        sentence(3, citations=both),
        done(),
    ]
    page.goto(site)
    ask(page)
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false")
    icons = page.locator("#log .chip").evaluate_all(
        "chips => chips.map((chip) => chip.querySelector('use')?.getAttribute('href').split('#')[1] ?? '')"
    )
    assert icons == ["check", "", "", "half", "", ""]
    names = [chip.get_attribute("aria-label") for chip in page.locator("#log .chip").all()]
    assert [name.rsplit(", ", 1)[1] for name in names[:4]] == ["verified", "partly supported"] * 2


FROM_KNOWLEDGE = {"text": "Fleming found it.", "kind": "outside", "verdict": "unchecked", "quoted": False}


def told(**changed):
    return sentence(0, **{**FROM_KNOWLEDGE, "citations": []} | changed)


def is_set_apart(page):
    """Is what is told from general knowledge under one disclaimer, drawn in its own style, without a chip?"""
    expect(page.locator(".callout.disclaimer")).to_have_text([DISCLAIMER])
    expect(page.locator(".answer > :first-child")).to_have_text(DISCLAIMER)
    expect(page.locator(".outside .paragraph")).to_have_css("border-top-style", "dashed")
    expect(page.locator("#log .chip")).to_have_count(0)
    return True


def test_general_knowledge_is_set_apart_from_its_first_sentence_on(page, site, server):
    notice = {"type": "notice", "kind": "disclaimer", "message": DISCLAIMER}
    server.answers |= {"ask": [status(), notice, told()], "stop": [done("interrupted", summary="", complete=False)]}
    page.goto(site)
    ask(page)
    assert is_set_apart(page)
    page.keyboard.press("Escape")
    expect(page.get_by_text("Stopped.")).to_be_visible()
    assert is_set_apart(page)


@pytest.mark.parametrize("outcome", ["out_of_corpus", "interrupted"])
def test_general_knowledge_that_is_drawn_again_stands_under_its_disclaimer(page, site, server, outcome):
    sentences = [FROM_KNOWLEDGE | {"citations": [], "paragraph": 0}] * 2
    message = DISCLAIMER if outcome == "out_of_corpus" else "Stopped."
    stored(
        page, site, {"question": "Who?", "outcome": outcome, "response": {"sentences": sentences, "message": message}}
    )
    expect(page.locator(".sentence")).to_have_count(2)
    assert is_set_apart(page)


REFUSED = {
    "reason": "outside_corpus",
    "message": "Nothing here.",
    "searched": "8 lectures",
    "next_step": "Ask of trees.",
}
NOTED = "I have noted the question for the editors."


@pytest.mark.parametrize("noted", [True, False])
def test_a_refusal_says_that_the_question_is_noted_only_where_it_was(page, site, server, noted):
    end = done("refused", summary="", noted=noted)
    server.answers["ask"] = [status(), {"type": "refusal", "nearest": [], **REFUSED}, end]
    page.goto(site)
    ask(page)
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false")
    expect(page.get_by_text(NOTED)).to_be_visible(visible=noted)


@pytest.mark.parametrize("response", [REFUSED | {"noted": True}, REFUSED])
def test_a_refusal_that_is_drawn_again_says_the_same_of_its_question(page, site, server, response):
    stored(page, site, {"question": "Who?", "outcome": "refused", "response": response})
    expect(page.get_by_text("Nothing here.")).to_be_visible()
    expect(page.get_by_text(NOTED)).to_be_visible(visible="noted" in response)


WITHHELD = [
    {"reason": "unsupported_claims", "verdict": "unsupported", "text": f"{HOSTILE} See [^1] and https://x.example/."},
    {"reason": "unsupported_claims", "verdict": "contradicted", "text": "Seven kings crowned it."},
    {"reason": "SNIPPET_MISMATCH", "verdict": "unsupported", "text": ""},
]


def opens_on_what_was_removed(page, counts):
    """Is it closed at first, and does it then say each removed text and why, marked, and inert?"""
    details = page.locator("details.checks")
    expect(details.get_by_text(counts)).to_be_visible()
    expect(page.get_by_text("Seven kings crowned it.")).to_be_hidden()
    details.locator("summary").click()
    expect(details.locator(".removed bdi")).to_have_text([WITHHELD[0]["text"], WITHHELD[1]["text"]])
    expect(details.locator(".removed .verdict")).to_have_text(["Not backed by these sources"] * 2)
    expect(details).to_contain_text("2 sentences removed: the source does not say it")
    expect(details).to_contain_text("1 sentence removed: the quotation is not in the source")
    assert details.locator("a, button, img, script, .chip").count() == 0
    return True


def test_the_counts_open_on_what_was_removed_and_why(page, site, server):
    counts = "2 claims · 2 verified · 0 partly · 0 miscited · 0 uncited · 3 removed"
    hidden = [{"type": "withheld", **sentence} for sentence in WITHHELD]
    server.answers["ask"] = [status(), sentence(1), *hidden, done("partially_grounded", summary=counts)]
    page.goto(site)
    ask(page)
    assert opens_on_what_was_removed(page, counts)


def test_a_refusal_opens_on_what_was_removed_and_why_also_when_it_is_drawn_again(page, site, server):
    hidden = [{"type": "withheld", **sentence} for sentence in WITHHELD]
    refusal = {"type": "refusal", "nearest": [], **REFUSED}
    server.answers["ask"] = [status(), *hidden, refusal, done("refused", summary="")]
    page.goto(site)
    ask(page)
    assert opens_on_what_was_removed(page, "3 sentences removed")
    stored(page, site, {"question": "Who?", "outcome": "refused", "response": REFUSED | {"withheld": WITHHELD}})
    assert opens_on_what_was_removed(page, "3 sentences removed")


STORY = ("A potter lived by the river.", "He kept one pot that he never sold.", "It had a crack.")
TWO_CHUNKS = [citation(1), citation(1), citation(2)]


def test_a_clip_is_one_paragraph_with_its_lead_marked_and_one_source_line(page, site, server):
    second = clip(3, "The wheel was never still.", cited=[citation(3, speaker="")])
    server.answers["ask"] = [status(), *clip(1, *STORY, lead=1, cited=TWO_CHUNKS), *second, done()]
    page.goto(site)
    ask(page)
    expect(page.locator(".clip blockquote")).to_have_text([" ".join(STORY), "The wheel was never still."])
    expect(page.locator(".clip mark")).to_have_text([STORY[1], "The wheel was never still."])
    expect(page.locator(".clip .verdict")).to_have_count(0)
    lines = page.locator(".clip .source-line")
    expect(lines).to_have_count(2)
    expect(lines.first).to_have_text("Word for word from A. Speaker 1 First evening · 1:31 2 1:32")
    expect(lines.last).to_have_text("Word for word from 3 First evening · 1:33")
    assert [chip.get_attribute("data-n") for chip in page.locator("#log .chip").all()] == ["1", "2", "3"]
    expect(page.locator("#sources .source-meta").first).to_contain_text("cited 1×")


def test_the_chips_of_a_clip_work_by_key_and_pointer_and_speak_of_its_lead(page, site, server):
    server.answers["ask"] = [status(), *clip(1, *STORY, lead=1, cited=TWO_CHUNKS), done()]
    page.route("**/feedback/", lambda route: route.fulfill(json={}))  # the scripted turn is in no database
    page.goto(site)
    ask(page)
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false")
    page.locator("h2.question").click()
    for n in ("1", "2", "1"):
        page.keyboard.press("]")
        assert focused(page, "data-n") == n
    with page.expect_request("**/feedback/") as sent:
        page.keyboard.press("Enter")
        page.locator("#pinned").get_by_role("button", name="does not say that").click()
    assert f"claim={STORY[1].split()[0]}" in sent.value.post_data
    page.get_by_role("button", name="All sources of this answer").click()
    page.locator("h2.question").click()
    page.locator("#sources .source-row").nth(1).hover()
    expect(page.locator(".sentence.tinted")).to_have_text([STORY[2]])


def test_written_sentences_keep_their_verdicts_beside_a_clip(page, site, server):
    written = sentence(1, quoted=False, proof="verified")
    server.answers["ask"] = [status(), written, *clip(2, *STORY), sentence(3), done()]
    page.goto(site)
    ask(page)
    expect(page.locator(".sentence .verdict")).to_have_text(["Verified", "Quoted"])
    expect(page.locator(".answer > *").nth(1)).to_have_class("clip")


NOTICE = {"type": "notice", "kind": "closest_passage", "message": CLOSEST}


def shows_the_closest_passage(page, noted=True):
    """Is there one calm card with the notice, the clip and its source line, and what becomes of the question?"""
    card = page.get_by_role("group", name="Closest passage")
    expect(card.locator("p").first).to_have_text(CLOSEST)
    expect(card.locator("blockquote")).to_have_text(" ".join(STORY))
    expect(card.locator("mark")).to_have_text(STORY[0])
    expect(card.locator(".source-line .chip")).to_have_count(1)
    expect(card.get_by_role("link", name="Open transcript")).to_be_visible()
    expect(card.get_by_text(NOTED)).to_be_visible(visible=noted)
    expect(page.get_by_text("Answered in")).to_have_count(0)
    return True


def test_a_closest_passage_stands_in_a_card_of_its_own(page, site, server):
    server.answers["ask"] = [status(), NOTICE, *clip(1, *STORY), done("closest_passage", noted=True)]
    page.goto(site)
    ask(page)
    assert shows_the_closest_passage(page)
    for name in ("Helpful", "Not helpful", "The answer is in the sources"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()


def test_a_closest_passage_that_is_drawn_again_stands_in_the_same_card(page, site, server):
    sentences = [{**sentence, "citations": [1]} for sentence in clip(1, *STORY)]
    response = {"sentences": sentences, "citations": [citation(1)], "message": CLOSEST, "noted": True}
    stored(page, site, {"question": "Who?", "outcome": "closest_passage", "response": response})
    assert shows_the_closest_passage(page)


def test_a_closest_passage_that_may_be_seen_no_longer_leaves_a_plain_message(page, site, server):
    response = {"sentences": [], "citations": [], "message": "None of them answers it.", "noted": True}
    stored(page, site, {"question": "Who?", "outcome": "closest_passage", "response": response})
    expect(page.locator(".answer .callout")).to_have_text(["None of them answers it."])
    expect(page.locator(".closest")).to_have_count(0)
