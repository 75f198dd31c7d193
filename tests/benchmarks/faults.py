"""Each fault of a provider in each mode: the outcome, the time, and what the reader saw.

    LECTORIUM_STATE=$(mktemp -d) .venv/bin/python -m tests.benchmarks.faults

writes docs/results/faults.md.
"""

from tests.benchmarks import staged  # isort: skip  # it sets Django up
from django.conf import settings

from chat.answering.domain.events import Refusal
from evaluation.results import publish
from lectorium.ladder.jobs import PREPARING
from lectorium.providers.stand_ins.scripted import Reply, ScriptedChat

GOOD = "Only Iblis refused to bow to the newly made man [^1]. Every angel bowed to him [^1]."
BROKEN_OFF = "Only Iblis refused to bow to the newly made man [^1]. Every angel bowed to him and then"
# Seconds, instead of the product's 30, 45 and 180, so that the table is made in a minute; a dripping model says a word
# before each silence ends.
SILENCE, PREPARE, WHOLE, DRIP = 0.5, 1.0, 2.0, 0.4
SHORT = (
    "unreachable",
    "rate_limited",
    "server_fault",
    "circuit_open",
    "wrong_key",
    "model_missing",
    "context_too_long",
    "garbled",
    "budget_reached",
    "empty_answer",
)
CASES = {
    "none": Reply.of(GOOD),
    **{fault.replace("_", " "): Reply.of("", fault=fault) for fault in SHORT},
    "silent": Reply(("late",), first_after=60.0),
    "dripping": Reply.of(GOOD, tokens_a_second=1 / DRIP),
    "cut off within the first sentence": Reply.of("Only Iblis refused", fault="cut_off"),
    "cut off after a sentence": Reply.of(BROKEN_OFF, fault="cut_off"),
    "error after a sentence": Reply.of(BROKEN_OFF, fault="server_fault"),
    "JSON instead of an answer": Reply.of('{"answer": "Iblis"}'),
    "a web page instead of an answer": Reply.of("<html><body><h1>502 Bad Gateway</h1></body></html>"),
    "babble without end": Reply.of("The weather has been wonderful in the northern hills all week long. " * 200),
    "invented references": Reply.of(
        "Only Iblis refused to bow to the newly made man [^41] [verse:9] https://x.example."
    ),
    "unsupported claims": Reply.of("Marduk crowned seven emperors beneath Babylon [^1]."),
    "abstains": Reply.of("INSUFFICIENT_EVIDENCE"),
}


AHEAD = {  # of the models that are asked before anything is written
    "server fault": Reply.of("", fault="server_fault"),
    "silent": Reply(("late",), first_after=60.0),
    "dripping": Reply.of("word " * 60, tokens_a_second=1 / DRIP),
    "babble": Reply.of("Sure! Here it is."),
}


def seen(ended, events):
    """Say in a few words what the reader saw."""
    degraded = [warning.details for warning in ended.warnings if warning.type == "DEGRADED"]
    written = bool(ended.trace.get("writing")) and not (degraded and ended.complete)
    number = len(ended.sentences)
    sentences = f"{number} sentence{'' if number == 1 else 's'}"
    parts = [f"{sentences} of the model, checked" if written else f"the quotation, {sentences}"] if number else []
    parts += [f"refusal: {event.reason.replace('_', ' ')}" for _, event in events if isinstance(event, Refusal)]
    parts += [f"warning: {warning['mode']} {warning['reason'].replace('_', ' ')}" for warning in degraded]
    parts += [f"warning: {warning.type}" for warning in ended.warnings if warning.type != "DEGRADED"]
    return "; ".join(parts)


async def table(viewer):
    rows = []
    for name, reply in CASES.items():
        for mode in ("instant", "auto", "thinking"):
            staged.say(ScriptedChat(reply, name=staged.MODEL))
            rows.append(await row(name, mode, viewer))
    for jobs in (*((job,) for job in PREPARING), PREPARING):
        for name, reply in AHEAD.items():
            staged.say(ScriptedChat(CASES["none"], name=staged.MODEL))
            with staged.serving(jobs, reply):
                rows.append(await row(f"{', '.join(jobs)}: {name}", "auto", viewer))
    return rows


async def row(name, mode, viewer):
    ended, events = await staged.asked(mode, viewer)
    milliseconds = 1000 * events[-1][0]
    assert ended.sentences or ended.nearest, f"a blank: {name}, {mode}"
    end = ended.outcome.replace("_", " ") + ("" if ended.complete else ", incomplete")
    return f"| {name} | {mode} | {end} | {milliseconds:.0f} | {seen(ended, events)} |"


def main():
    staged.set_up()
    settings.CHAT_SILENCE, settings.CHAT_PREPARE, settings.CHAT_WHOLE = SILENCE, PREPARE, WHOLE
    rows = staged.run(table(staged.viewer()))
    lines = [
        "## Faults of a provider",
        "",
        f"{len(CASES)} behaviours of a scripted chat model in three modes, over the tests' small corpus with its "
        f"stand-in models; then {len(AHEAD)} of the models asked before it. A silent model is given {SILENCE} s here, "
        f"one answer {WHOLE:g} s and all that is asked ahead {PREPARE:g} s; in the product `LECTORIUM_CHAT_SILENCE`, "
        f"`LECTORIUM_CHAT_WHOLE` and `LECTORIUM_CHAT_PREPARE` say. A dripping model says a word every {DRIP} s. "
        "No turn ended in a blank: the program fails where one does. Instant mode asks no chat model. "
        "Read by: `python -m tests.benchmarks.faults`.",
        "",
        "| the model | mode | outcome | ms | what the reader saw |",
        "|---|---|---|---|---|",
        *rows,
    ]
    print(publish("faults", lines))


if __name__ == "__main__":
    main()
