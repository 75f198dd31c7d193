/** What a reader says of an answer or of one of its citations: sent to the staff, changed, and taken back. */
import { el, icon } from "./dom.js";
import { gettext } from "./gettext.js";
import { NOTE_LABEL, PASSAGE_NOT_SAID, RELOAD, SAYINGS, SEND_NOTE, TAKEN_BACK, THANKS, UNSENT } from "./words.js";

/** @typedef {import("./types.js").Citation} Citation */
/** @typedef {import("./turn-view.js").TurnView} TurnView */
/** @typedef {{citation: number, claim: string}} Target A number and the words resting on it; 0 and "" for the whole answer. */

/** @type {Target} */
const ANSWER = { citation: 0, claim: "" };

/** @param {Target} target @returns {string} */
export function targetKey({ citation, claim }) {
  return `${citation} ${claim}`;
}

/** Hands to the server what is said. */
export class Feedback {
  /** @param {HTMLFormElement} form of the page, with its token against forgery */
  constructor(form) {
    this.form = form;
    this.takesNotes = Boolean(form.dataset.notes);
  }

  /** Count that a citation was opened. Nothing waits for it. @param {string} turn @param {number} citation */
  opened(turn, citation) {
    const body = new URLSearchParams({ turn, citation: String(citation) });
    for (const [name, value] of new FormData(this.form)) body.append(name, String(value));
    fetch(String(this.form.dataset.opened), { method: "POST", body, keepalive: true }).catch(() => {});
  }

  /** @param {Record<string, string>} said @returns {Promise<string>} why it was not taken, in words; "" where it was */
  async send(said) {
    const body = new URLSearchParams(said);
    for (const [name, value] of new FormData(this.form)) body.append(name, String(value));
    try {
      const answer = await fetch(this.form.action, { method: "POST", body });
      if (answer.ok) return "";
      const isOurs = answer.headers.get("Content-Type") === "application/json";
      return isOurs ? (await answer.json()).message : answer.status === 403 ? RELOAD : UNSENT;
    } catch {
      return UNSENT;
    }
  }
}

/** @param {TurnView} view @param {string[]} kinds what may be said of its answer @returns {HTMLElement} */
export function answerFeedback(view, kinds) {
  return new Choice(view, ANSWER, gettext("Feedback on this answer"), kinds.map((kind) => [kind, SAYINGS[kind]])).element;
}

/**
 * @param {TurnView} view @param {Citation} citation @param {string} claim the words of the sentence that cites it
 * @returns {HTMLElement}
 */
export function citationFeedback(view, citation, claim) {
  const words = citation.media ? SAYINGS.not_said : PASSAGE_NOT_SAID;
  const { element } = new Choice(view, { citation: citation.n, claim }, gettext("Feedback on this citation"), [["not_said", words]]);
  if (!citation.quote.includes(claim)) element.prepend(el("q", { class: "feedback-claim", dir: "auto", text: claim }));
  return element;
}

/** Buttons of which one may be pressed, and a note once it is. */
class Choice {
  /** @param {TurnView} view @param {Target} target @param {string} name @param {string[][]} sayings kind and words of each */
  constructor(view, target, name, sayings) {
    this.view = view;
    this.target = target;
    this.isSending = false;
    this.buttons = sayings.map(([kind, words]) =>
      el("button", { class: "button small say", type: "button", "data-kind": kind, on: { click: () => this.#press(kind) } }, words));
    this.status = el("p", { class: "quiet", role: "status" });
    this.note = el("textarea", { rows: 2, dir: "auto" });
    this.noteForm = el("form", { class: "feedback-note", hidden: true, on: {
      submit: (/** @type {Event} */ event) => { event.preventDefault(); this.#sendNote(); },
      keydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Escape") this.#leaveNote(event); },
    } }, el("label", {}, NOTE_LABEL, this.note), el("button", { class: "button small", type: "submit", text: SEND_NOTE }));
    this.element = el("div", { class: "feedback", role: "group", "aria-label": name },
      el("div", { class: "feedback-choice" }, ...this.buttons), this.status, this.noteForm);
    this.#draw();
  }

  get said() {
    return this.view.said.get(targetKey(this.target)) ?? "";
  }

  set said(kind) {
    this.view.said.set(targetKey(this.target), kind);
    this.#draw();
  }

  #draw() {
    for (const button of this.buttons) {
      const isPressed = button.dataset.kind === this.said;
      button.setAttribute("aria-pressed", String(isPressed));
      button.querySelector(".icon")?.remove();
      if (isPressed) button.prepend(icon("check"));
    }
  }

  /** @param {string} kind said with it, or taken back where it was said already */
  async #press(kind) {
    const chosen = kind === this.said ? "" : kind;
    if (!(await this.#say(chosen, "")) || !this.view.around.feedback.takesNotes) return;
    this.noteForm.hidden = !chosen || chosen === "helpful";
  }

  async #sendNote() {
    if (this.note.value.trim() && !(await this.#say(this.said, this.note.value))) return;
    this.note.value = "";
    this.buttons.find((button) => button.dataset.kind === this.said)?.focus();
    this.noteForm.hidden = true;
  }

  /** Keep the words: only the next Esc is the page's. @param {KeyboardEvent} event */
  #leaveNote(event) {
    event.stopPropagation();
    this.buttons.find((button) => button.dataset.kind === this.said)?.focus();
  }

  /** @param {string} kind @param {string} note @returns {Promise<boolean>} whether it was taken */
  async #say(kind, note) {
    if (this.isSending) return false;
    const before = this.said;
    this.isSending = true;
    this.status.textContent = "";
    this.said = kind;
    const { citation, claim } = this.target;
    const fault = await this.view.around.feedback.send({ turn: this.view.turn ?? "", kind, citation: String(citation), claim, note });
    this.isSending = false;
    if (fault) this.said = before;
    this.status.textContent = fault || (kind ? THANKS : TAKEN_BACK);
    return !fault;
  }
}
