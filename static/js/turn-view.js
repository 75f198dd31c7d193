/** One question and its answer, drawn from the turn's events as they come. */
import { capital, chipLabel, countUses, placeIn, sourceKey, titleOf, verdictKey } from "./format.js";
import { el } from "./dom.js";
import { cardActions, chip, verdictTag } from "./citations.js";
import { Clip } from "./clip.js";
import { copyRow, sourceList } from "./copy.js";
import { answerFeedback } from "./feedback.js";
import {
  checks, closestCard, failure, notice, readAsLine, refusalCard, replyParts, sourceCard, stoppedNotice, suggestions, warningList,
} from "./turn-parts.js";
import { translationRow } from "./translation.js";
import { DISCLAIMER, REPAIRS, SAYINGS_OF, SENDING, STAGES, STOPPED, STOPPED_EMPTY } from "./words.js";

/** @typedef {import("./types.js").Citation} Citation */
/** @typedef {import("./types.js").Sentence} Sentence */
/** @typedef {import("./types.js").TurnEvent} TurnEvent */
/**
 * @typedef {object} Surroundings
 * @property {import("./evidence.js").Evidence} evidence
 * @property {import("./citations.js").HoverCard} hoverCard
 * @property {import("./feedback.js").Feedback} feedback
 * @property {(question: string) => void} ask
 * @property {(question: string) => void} askAsTyped Without correcting its spelling.
 */

export class TurnView {
  /** @param {string} question @param {Surroundings} around */
  constructor(question, around) {
    this.question = question;
    this.around = around;
    this.running = true;
    /** Whether the list of conversations knows of it. */
    this.isListed = false;
    this.seq = 0;
    /** @type {string|null} */
    this.turn = null;
    /** What the reader has said, by target. @type {Map<string, string>} */
    this.said = new Map();
    /** @type {import("./types.js").Source[]} */
    this.found = [];
    /** @type {Map<number, {citation: Citation, uses: number}>} */
    this.used = new Map();
    /** @type {import("./types.js").Withheld[]} */
    this.withheld = [];
    this.answer = el("div", { class: "answer" });
    /** Where paragraphs go: the answer, or the card of a closest passage. @type {HTMLElement} */
    this.body = this.answer;
    /** The clip that was added to last. @type {Clip|null} */
    this.clip = null;
    this.status = el("p", { class: "status", role: "status", text: `${capital(SENDING)}…` });
    this.element = el("article", { class: "turn", tabindex: "-1" }, el("h2", { class: "question", dir: "auto", text: question }), this.status, this.answer);
  }

  /** Take one event; one that was already taken is passed over. @param {TurnEvent} event */
  apply(event) {
    if (event.seq && event.seq <= this.seq) return;
    this.seq = event.seq || this.seq;
    this.turn = event.turn ?? this.turn;
    HANDLERS[event.type]?.(this, event);
  }

  get isClosest() {
    return this.body !== this.answer;
  }

  get hasNearest() {
    return this.answer.querySelector(".nearest") !== null;
  }

  /** Sources found that no sentence has cited yet. */
  unread() {
    const cited = new Set([...this.used.values()].map(({ citation }) => sourceKey(citation)));
    return this.found.filter((source) => !cited.has(sourceKey(source)));
  }

  /** @param {number} n @returns {HTMLElement|null} the first chip of that number */
  chipOf(n) {
    return this.answer.querySelector(`.chip[data-n="${Number(n)}"]`);
  }

  /** @param {HTMLElement} chip @returns {string} the words of the sentence that it stands after; of a clip, of its lead */
  claimOf(chip) {
    const cited = `.sentence[data-cites~="${chip.dataset.n}"]`;
    const clip = chip.closest(".clip");
    const sentence = chip.closest(".sentence") ?? clip?.querySelector(`${cited}:has(.lead)`) ?? clip?.querySelector(cited);
    return sentence?.querySelector(".words")?.textContent ?? "";
  }

  /** Mark the sentences a source supports. @param {number} n @param {boolean} on */
  tint(n, on) {
    for (const one of this.answer.querySelectorAll(`.sentence[data-cites~="${Number(n)}"]`)) one.classList.toggle("tinted", on);
  }

  /** Say in place of an answer why there is none. @param {string} message @param {boolean} retryable */
  fail(message, retryable) {
    this.end();
    this.answer.append(failure(message, retryable ? () => this.around.ask(this.question) : null));
  }

  end() {
    this.running = false;
    this.status.textContent = ""; // its line stays, so that nothing moves
    this.status.classList.add("over");
    this.clip?.settle();
    this.around.evidence.update(this);
  }

  /** @param {any[]} places @returns {(index: number, links: HTMLElement[]) => void} shows one of them beside the answer */
  lookAt(places) {
    return (index, links) => this.around.evidence.look(places, index, this, links);
  }

  /** Add a sentence to its clip, which begins with its first one. @param {Sentence} sentence */
  addToClip(sentence) {
    const number = sentence.paragraph ?? 0;
    if (this.clip?.paragraph !== number) {
      this.clip?.settle();
      this.clip = new Clip(number);
      this.body.append(this.clip.element);
    }
    const { clip } = this;
    clip.addSentence(sentence);
    const added = sentence.citations.filter(({ n }) => !clip.cited.has(n)).map((citation) => ({ ...citation, quoted: true }));
    for (const citation of added) {
      const isPlace = clip.cited.size || citation.kind === "verse"; // its source is named, or its address names it
      const [label, place] = isPlace ? [placeIn(citation), ""] : [titleOf(citation).text, ` · ${placeIn(citation)}`];
      clip.addSource(citation, this.#chip(citation, label, "quoted", place));
      if (this.body !== this.answer && clip.cited.size === 1) this.body.append(cardActions(citation, this.around.evidence.player));
    }
    countUses(this.used, added);
    this.around.evidence.update(this);
  }

  /** Open the card in which a closest passage is shown. @param {{message: string}} event */
  openClosest(event) {
    const { element, body } = closestCard(event);
    this.answer.append(element);
    this.body = body;
  }

  /** @param {Sentence} sentence */
  addSentence({ text, kind, verdict, quoted, citations = [], paragraph = 0, block: prefix = "", repair = "", conflicting = false, cards = [], proof = "" }) {
    if (kind === "outside") this.#disclaim();
    const block = this.#paragraph(paragraph, prefix);
    const shown = citations.map((citation) => ({ ...citation, proof, quoted: quoted ?? citation.quoted }));
    const span = el("span", { class: `sentence ${kind}`, "data-cites": citations.map(({ n }) => n).join(" ") });
    block.append(block.hasChildNodes() ? " " : "", span);
    const words = el("bdi", { class: "words", lang: quoted ? citations[0]?.language : null, text });
    if (kind === "framing" || kind === "outside") span.append(words);
    else if (quoted) span.append(...this.#quotedLabel(block), words);
    else span.append(words, " ", verdictTag({ verdict, proof }));
    if (conflicting) span.append(" ", verdictTag({ verdict: "conflicting" }));
    block.classList.toggle("quoted", Boolean(quoted));
    for (const citation of shown) {
      const before = /** @type {HTMLElement|undefined} */ ([...block.querySelectorAll(".chip")].at(-1));
      const label = before?.dataset.n === String(citation.n) ? "" : chipLabel(citation);
      span.append(" ", this.#chip(citation, label, verdictKey({ verdict, quoted, proof })));
    }
    for (const card of cards) span.append(" ", sourceCard(card));
    if (repair in REPAIRS) span.append(" ", el("span", { class: "repair", text: REPAIRS[repair] }));
    countUses(this.used, shown);
    this.around.evidence.update(this);
  }

  /** Set general knowledge apart from its first sentence on, also where the turn was stopped or is drawn again. */
  #disclaim() {
    this.element.classList.add("outside");
    if (!this.answer.querySelector(".disclaimer")) this.answer.append(notice({ kind: "disclaimer", message: DISCLAIMER }));
  }

  /** "Quoted", said once where a run of quoted sentences begins. @param {HTMLElement} block */
  #quotedLabel(block) {
    return block.classList.contains("quoted") ? [] : [verdictTag({ quoted: true }), " "];
  }

  /** @param {number} number @param {string} prefix the Markdown that begins the paragraph, "" in an ordinary one */
  #paragraph(number, prefix) {
    const last = /** @type {HTMLElement|null} */ (this.answer.querySelector(":scope > p.paragraph:last-of-type"));
    if (last && last.dataset.paragraph === String(number)) return last;
    const next = el("p", { class: `paragraph ${blockClass(prefix)}`.trim(), "data-paragraph": number });
    if (/^\d/u.test(prefix)) next.append(el("span", { class: "number", text: prefix.trim() }));
    this.answer.append(next);
    return next;
  }

  /** @param {Citation} citation @param {string} label @param {string} said the verdict its sentence shows @param {string} [place] */
  #chip(citation, label, said, place) {
    const { evidence, hoverCard } = this.around;
    const button = chip(citation, (chipped) => {
      hoverCard.hide();
      evidence.pin(citation, this, chipped, chipped.matches(":focus-visible"));
    }, label, said, place);
    hoverCard.watch(button, citation);
    return button;
  }
}

/** @param {string} prefix Markdown, e.g. "## ", "- ", "2. ", "> " @returns {string} */
function blockClass(prefix) {
  if (prefix.startsWith("#")) return "heading";
  if (prefix.startsWith(">")) return "quotation";
  return prefix ? "item" : "";
}

/** What each event does to the view. @type {Record<string, (view: TurnView, event: any) => void>} */
const HANDLERS = {
  status(view, { stage, detail }) {
    view.status.textContent = `${capital(detail || STAGES[stage] || stage)}…`;
  },
  sources(view, { items }) {
    view.found = items;
    view.around.evidence.update(view);
  },
  sentence(view, event) {
    if (event.clip) view.addToClip(event);
    else view.addSentence(event);
  },
  withheld(view, event) {
    view.withheld.push(event);
  },
  notice(view, event) {
    if (event.kind === "closest_passage") view.openClosest(event);
    else view.answer.append(notice(event), ...replyParts(event, view.around.ask, view.lookAt(event.nearest)));
  },
  read_as(view, event) {
    view.answer.append(readAsLine(event, view.around.askAsTyped));
  },
  refusal(view, event) {
    view.found = [];
    view.answer.append(refusalCard(event, view.lookAt(event.nearest)));
    view.around.evidence.update(view);
  },
  suggestions(view, { items }) {
    view.answer.querySelector(".next")?.remove();
    view.answer.append(suggestions(items, view.around.ask, !view.answer.querySelector(".refusal")));
  },
  error(view, { message, retryable }) {
    view.fail(message, Boolean(retryable));
  },
  done(view, event) {
    view.end();
    for (const line of view.answer.querySelectorAll(".noted")) line.toggleAttribute("hidden", !event.noted);
    if (event.outcome === "interrupted") {
      const words = view.answer.querySelector(".sentence") ? STOPPED : STOPPED_EMPTY;
      view.answer.append(stoppedNotice(words, () => view.around.ask(view.question)));
    }
    if (event.warnings?.length) view.answer.append(warningList(event.warnings));
    const line = checks(event, view.withheld);
    if (line) view.answer.append(line);
    if (view.used.size) view.answer.append(copyRow(view), sourceList(view), ...translationRow(view));
    if (view.turn && SAYINGS_OF[event.outcome]) view.answer.append(answerFeedback(view, SAYINGS_OF[event.outcome]));
    view.answer.append(...view.answer.querySelectorAll(".next")); // what to ask next comes last
    view.around.evidence.openFirst(view);
  },
};
