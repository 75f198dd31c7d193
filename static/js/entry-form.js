/** The form of a pin or note: passages found as the editor types, put in order, and a question tried without saving. */

import { fill, gettext } from "./gettext.js";

const PAUSE_MS = 250;
const LONGEST = 400; // characters searched for

/** @param {ParentNode} within @param {string} selector @returns {HTMLElement[]} */
const all = (within, selector) => [...within.querySelectorAll(selector)].map((node) => /** @type {HTMLElement} */ (node));

/** @param {ParentNode} within @param {string} selector @returns {any} the node, which must be there */
function one(within, selector) {
  const node = within.querySelector(selector);
  if (!node) throw new Error(`The form has no ${selector}.`);
  return node;
}

/** @param {string} markup of our own server, with everything in it escaped @returns {DocumentFragment} */
const parsed = (markup) => document.createRange().createContextualFragment(markup);

/** The passages of an entry, in an order that arrows and dragging change. */
class References {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
    /** @type {HTMLElement} */ this.list = one(box, ".reference-list");
    /** @type {HTMLElement} */ this.found = one(box, ".reference-found");
    /** @type {HTMLElement} */ this.status = one(box, ".reference-status");
    /** @type {HTMLInputElement} */ this.search = one(box, ".reference-search");
    /** @type {HTMLElement|null} */ this.dragged = null;
    this.timer = 0;
    this.asked = 0;
    all(this.list, "[data-reference]").forEach((row) => this.prepare(row));
    this.search.addEventListener("input", () => this.searchSoon());
    this.search.addEventListener("keydown", (event) => this.onKey(event));
    this.found.addEventListener("click", (event) => this.add(event));
    this.list.addEventListener("click", (event) => this.onTool(event));
    this.list.addEventListener("dragover", (event) => this.onDragOver(event));
  }

  /** @param {HTMLElement} row */
  prepare(row) {
    one(row, ".reference-tools").hidden = false;
    row.draggable = true;
    row.addEventListener("dragstart", () => {
      this.dragged = row;
      row.classList.add("is-dragged");
    });
    row.addEventListener("dragend", () => {
      row.classList.remove("is-dragged");
      this.dragged = null;
    });
  }

  searchSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), PAUSE_MS);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      clearTimeout(this.timer);
      this.look();
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      this.found.querySelector("button")?.focus();
    } else if (event.key === "Escape") this.clear("");
  }

  async look() {
    const typed = this.search.value.trim();
    const turn = (this.asked += 1);
    if (!typed) return this.clear("");
    this.status.textContent = gettext("Searching…");
    try {
      const reply = await fetch(`${this.box.dataset.search}?${new URLSearchParams({ q: typed.slice(0, LONGEST) })}`);
      if (!reply.ok) throw new Error(String(reply.status));
      const markup = await reply.text();
      if (turn !== this.asked) return;
      this.found.replaceChildren(parsed(markup));
      const count = all(this.found, ".reference-hit").length;
      this.status.textContent = count ? fill(gettext("{n} found."), { n: count }) : gettext("Nothing is found. Try other words, or an address.");
    } catch {
      if (turn === this.asked) this.clear(gettext("The search failed. Try again, or type an address and save."));
    }
  }

  /** @param {string} said */
  clear(said) {
    this.found.replaceChildren();
    this.status.textContent = said;
  }

  /** @param {MouseEvent} event */
  add(event) {
    const button = /** @type {HTMLElement} */ (event.target).closest("[data-add]");
    const hit = button?.closest(".reference-hit");
    if (!hit) return;
    const row = one(one(hit, "template").content.cloneNode(true), "[data-reference]");
    const address = one(row, "input").value;
    if (this.addresses().includes(address)) {
      this.status.textContent = fill(gettext("{address} is in the list already."), { address });
      return;
    }
    this.list.append(row);
    this.prepare(row);
    hit.remove();
    this.search.value = "";
    this.status.textContent = fill(gettext("{address} is added as number {n}."), { address, n: this.addresses().length });
    this.search.focus();
  }

  addresses() {
    return all(this.list, "input[name=references]").map((input) => /** @type {HTMLInputElement} */ (input).value);
  }

  /** @param {MouseEvent} event */
  onTool(event) {
    const button = /** @type {HTMLElement|null} */ (/** @type {HTMLElement} */ (event.target).closest("button"));
    const row = button?.closest("[data-reference]");
    if (!button || !row) return;
    const address = one(row, "input").value;
    if (button.dataset.move === "up") row.previousElementSibling?.before(row);
    else if (button.dataset.move === "down") row.nextElementSibling?.after(row);
    else {
      row.remove();
      this.status.textContent = fill(gettext("{address} is removed."), { address });
      this.search.focus();
      return;
    }
    this.status.textContent = fill(gettext("{address} is number {n} now."), { address, n: this.addresses().indexOf(address) + 1 });
    button.focus();
  }

  /** @param {DragEvent} event */
  onDragOver(event) {
    const over = /** @type {HTMLElement} */ (event.target).closest("[data-reference]");
    if (!this.dragged || !over || over === this.dragged) return;
    event.preventDefault();
    const box = over.getBoundingClientRect();
    if (event.clientY < box.top + box.height / 2) over.before(this.dragged);
    else over.after(this.dragged);
  }
}

/** Keep an empty line at the end, so that there is always one to write on. @param {HTMLElement} box */
function keepSpareLine(box) {
  box.addEventListener("input", () => {
    const lines = /** @type {HTMLInputElement[]} */ (all(box, "input"));
    const last = lines[lines.length - 1];
    if (!last?.value.trim()) return;
    const next = /** @type {HTMLInputElement} */ (last.cloneNode());
    next.value = "";
    next.removeAttribute("value");
    next.removeAttribute("id");
    box.append(next);
  });
}

/** Wordings that the server proposes; a click writes one on an empty line. */
class Wordings {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
    /** @type {HTMLButtonElement} */ this.button = one(box, ".wordings-ask");
    /** @type {HTMLElement} */ this.status = one(box, ".reference-status");
    /** @type {HTMLElement} */ this.found = one(box, ".wordings-found");
    /** @type {HTMLFormElement} */ this.form = /** @type {any} */ (box.closest("form"));
    box.hidden = false;
    this.button.addEventListener("click", () => this.ask());
    this.found.addEventListener("click", (event) => this.add(event));
  }

  async ask() {
    this.button.disabled = true;
    this.status.textContent = gettext("Looking for wordings…");
    try {
      const body = new FormData(this.form);
      const reply = await fetch(String(this.box.dataset.wordings), { method: "POST", body });
      if (!reply.ok) throw new Error(String(reply.status));
      this.found.replaceChildren(parsed(await reply.text()));
      const count = all(this.found, ".wording-hit").length;
      this.status.textContent = count ? fill(gettext("{n} proposed. Add those that ask the same."), { n: count }) : "";
    } catch {
      this.status.textContent = gettext("No wordings could be proposed. Try again in a moment.");
    } finally {
      this.button.disabled = false;
    }
  }

  /** @param {MouseEvent} event */
  add(event) {
    const hit = /** @type {HTMLElement} */ (event.target).closest("[data-add]")?.closest(".wording-hit");
    if (!hit) return;
    const lines = /** @type {HTMLInputElement[]} */ (all(this.form, `input[name=${this.box.dataset.name}]`));
    const empty = lines.find((line) => !line.value.trim());
    if (!empty) return;
    empty.value = one(hit, "span").textContent;
    empty.dispatchEvent(new Event("input", { bubbles: true }));
    hit.remove();
    this.status.textContent = gettext("Added. It counts once you save.");
    (this.found.querySelector("button") || this.button).focus();
  }
}

/** Tries a question against the form as it stands. */
class Trial {
  /** @param {HTMLElement} box */
  constructor(box) {
    /** @type {HTMLInputElement} */ this.question = one(box, "[name=try_question]");
    /** @type {HTMLInputElement} */ this.button = one(box, "[name=_try]");
    /** @type {HTMLElement} */ this.status = one(box, ".entry-try-status");
    /** @type {HTMLElement} */ this.result = one(box, ".entry-try-result");
    this.button.addEventListener("click", (event) => {
      event.preventDefault();
      this.ask();
    });
    this.question.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.ask();
    });
  }

  async ask() {
    if (!this.question.value.trim()) return this.question.focus();
    this.button.disabled = true;
    this.status.textContent = gettext("Asking with and without this entry…");
    try {
      const form = /** @type {HTMLFormElement} */ (this.button.form);
      const body = new FormData(form);
      const reply = await fetch(this.button.formAction, { method: "POST", body, headers: { "X-Requested-With": "fetch" } });
      if (!reply.ok) throw new Error(String(reply.status));
      this.result.replaceChildren(parsed(await reply.text()));
      this.status.textContent = "";
    } catch {
      this.status.textContent = gettext("It could not be tried. Try again in a moment.");
    } finally {
      this.button.disabled = false;
    }
  }
}

all(document, "[data-references]").forEach((box) => new References(box));
all(document, "[data-phrases]").forEach(keepSpareLine);
all(document, "[data-wordings]").forEach((box) => new Wordings(box));
all(document, "[data-try]").forEach((box) => new Trial(box));
