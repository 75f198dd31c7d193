/** The question box: grows, counts, sends with Enter, and turns its button into Stop while an answer comes. */
import { byId } from "./dom.js";
import { fill, gettext } from "./gettext.js";

/** Characters left at which the counter appears. */
const NEAR = 200;
/** Characters left at which it is read aloud: not at each key. */
const READ_AT = [20, 50, 100, NEAR];

/** Emits "ask" (detail: {question, mode, scope}) and "stop". */
export class Composer extends EventTarget {
  constructor() {
    super();
    this.form = /** @type {HTMLFormElement} */ (byId("composer"));
    this.box = /** @type {HTMLTextAreaElement} */ (byId("question"));
    this.mode = /** @type {HTMLSelectElement} */ (byId("mode"));
    this.scope = /** @type {HTMLSelectElement|null} */ (document.getElementById("scope"));
    this.counter = byId("counter");
    this.counterRead = byId("counter-read");
    /** The threshold that was passed last. @type {number|undefined} */
    this.passed = undefined;
    this.max = Number(this.form.dataset.max);
    this.form.addEventListener("submit", (event) => this.#submit(event));
    this.box.addEventListener("input", () => this.#measure());
    this.box.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) this.#submit(event);
    });
    this.mode.addEventListener("change", () => this.#hint());
    this.scope?.addEventListener("change", () => this.#hint());
    byId("stop").addEventListener("click", () => this.dispatchEvent(new Event("stop")));
    this.running = false;
    this.#hint();
    this.#measure();
  }

  focus() {
    this.box.focus();
  }

  /** @returns {boolean} whether a question was being written */
  leave() {
    const had = this.box === document.activeElement;
    this.box.blur();
    return had;
  }

  clear() {
    this.box.value = "";
    this.#measure();
  }

  /** Give a question back that was not answered, unless another is being written. @param {string} question */
  restore(question) {
    if (this.box.value.trim()) return;
    this.box.value = question;
    this.#measure();
  }

  /** @param {boolean} running */
  setRunning(running) {
    const hadFocus = byId("stop") === document.activeElement;
    this.running = running;
    byId("send").hidden = running;
    byId("stop").hidden = !running;
    if (hadFocus && !running) this.focus();
  }

  /** @param {Event} event */
  #submit(event) {
    event.preventDefault();
    const question = this.box.value.trim();
    if (!question || this.running || [...question].length > this.max) return;
    this.dispatchEvent(new CustomEvent("ask", { detail: this.choices(question) }));
  }

  /** @param {string} question */
  choices(question) {
    return { question, mode: this.mode.value, scope: this.scope?.value || null };
  }

  #hint() {
    byId("mode-hint").textContent = this.mode.selectedOptions[0]?.dataset.hint ?? "";
    this.scope?.classList.toggle("chosen", this.scope.value !== "");
  }

  #measure() {
    const left = this.max - [...this.box.value.trim()].length;
    this.counter.textContent = left < 0 ? fill(gettext("{n} too many"), { n: -left }) : left <= NEAR ? fill(gettext("{n} left"), { n: left }) : "";
    this.counter.classList.toggle("over", left < 0);
    const passed = left < 0 ? -1 : READ_AT.find((threshold) => left <= threshold);
    if (passed !== this.passed) this.counterRead.textContent = this.counter.textContent;
    this.passed = passed;
    this.box.style.height = "auto";
    this.box.style.height = `${this.box.scrollHeight}px`;
  }
}
