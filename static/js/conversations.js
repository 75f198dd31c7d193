/** The list of conversations: by day, found by words, renamed, and deleted with a way back. */
import { byId, el, icon } from "./dom.js";
import { daysAgo, shortTitle } from "./format.js";
import { CLOSE, DAYS, NOT_CHANGED, RENAME_LABEL, UNDO, deleted, menuName } from "./words.js";

const FIND_AFTER_MS = 200;

/** Emits "closed" when the conversation that is open was deleted. */
export class Conversations extends EventTarget {
  /** @param {string|null} current @param {string} base address that ids are appended to @param {HTMLFormElement} token form with the token against forgery */
  constructor(current, base, token) {
    super();
    this.current = current;
    this.base = base;
    this.token = token;
    this.list = byId("conversation-list");
    this.search = /** @type {HTMLFormElement} */ (byId("conversation-search"));
    this.box = /** @type {HTMLInputElement} */ (byId("find-conversation"));
    this.menu = byId("conversation-menu");
    this.undo = byId("undo");
    this.timer = 0;
    /** Counts the lists that were asked for, so that a slow reply does not replace a later one. */
    this.asked = 0;
    /** The number of the list that is shown. */
    this.shown = 0;
    /** The item whose menu is open. @type {HTMLElement|null} */
    this.chosen = null;
    this.box.addEventListener("input", () => { clearTimeout(this.timer); this.timer = setTimeout(() => this.refresh(), FIND_AFTER_MS); });
    this.box.addEventListener("keydown", (event) => { if (event.key === "Escape" && this.box.value) event.stopPropagation(); }); // it empties the box
    this.search.addEventListener("submit", (event) => { event.preventDefault(); this.refresh(); });
    this.menu.addEventListener("click", (event) => this.#choose(/** @type {HTMLElement} */ (event.target)));
    this.#draw();
  }

  /** @returns {HTMLElement[]} */
  get items() {
    return [...this.list.querySelectorAll("li")];
  }

  /**
   * The server has begun or gone on with this conversation: put it in the address and on top of the list.
   * @param {string} id @param {string} question names it until it has a title
   */
  open(id, question) {
    if (!id) return;
    const known = this.items.find((item) => item.dataset.conversation === id);
    if (id !== this.current) {
      this.current = id;
      history.replaceState(null, "", `${this.base}${id}/`);
      document.title = `${shortTitle(question, 60)} · Lectorium`;
      byId("save-tools").hidden = false;
    }
    const item = known ?? el("li", { "data-conversation": id }, el("a", { href: `${this.base}${id}/`, dir: "auto", text: shortTitle(question, 80) }));
    item.dataset.at = new Date().toISOString();
    this.list.prepend(item);
    this.#draw();
  }

  /** @param {string} title @param {string|null} [id] */
  rename(title, id = this.current) {
    if (id === this.current) document.title = `${title} · Lectorium`;
    const item = this.items.find(({ dataset }) => dataset.conversation === id);
    if (!item) return;
    this.#linkOf(item).textContent = title;
    item.querySelector(".more")?.setAttribute("aria-label", menuName(title));
  }

  /** Fetch the list again, with what is looked for. */
  async refresh() {
    this.asked += 1;
    const mine = this.asked;
    try {
      const answer = await fetch(`${this.search.action}?find=${encodeURIComponent(this.box.value)}`);
      if (!answer.ok) return;
      const sent = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (mine !== this.asked) return;
      this.shown = mine;
      this.list.replaceChildren(...[...sent.querySelectorAll("li")].map((item) => document.importNode(item, true)));
      this.#draw();
    } catch {
      // the list stays as it was
    }
  }

  /** Put the items under the names of their days, newest first, each with its menu's button. */
  #draw() {
    const { items } = this;
    const now = new Date();
    /** @type {Map<string, HTMLElement[]>} */
    const days = new Map();
    for (const item of items) {
      const day = daysAgo(new Date(item.dataset.at ?? ""), now);
      days.set(day, [...(days.get(day) ?? []), item]);
      const link = this.#linkOf(item);
      link.toggleAttribute("aria-current", false);
      if (item.dataset.conversation === this.current) link.setAttribute("aria-current", "page");
      if (!item.querySelector(".more")) item.append(this.#menuButton(item, link.textContent ?? ""));
    }
    const names = /** @type {Record<string, string>} */ (DAYS);
    this.list.replaceChildren(...[...days].flatMap(([day, ofDay]) => [el("h2", { class: "day", text: names[day] ?? day }), el("ul", {}, ...ofDay)]));
    byId("conversations-none").hidden = items.length > 0 || this.box.value !== "";
    byId("conversations-missing").hidden = items.length > 0 || this.box.value === "";
    this.search.hidden = !items.length && this.box.value === "";
  }

  /** @param {HTMLElement} item @returns {HTMLAnchorElement} */
  #linkOf(item) {
    return /** @type {HTMLAnchorElement} */ (item.querySelector("a"));
  }

  /** @param {HTMLElement} item @param {string} title */
  #menuButton(item, title) {
    const button = el("button", { class: "icon-button more", type: "button", "aria-haspopup": "true", "aria-label": menuName(title), on: {
      click: () => this.#openMenu(item, button),
    } }, icon("more"));
    return button;
  }

  /** @param {HTMLElement} item @param {HTMLElement} button */
  #openMenu(item, button) {
    this.chosen = item;
    this.menu.showPopover();
    const place = button.getBoundingClientRect();
    const { width, height } = this.menu.getBoundingClientRect();
    this.menu.style.left = `${Math.max(8, Math.min(place.right - width, innerWidth - width - 8))}px`;
    this.menu.style.top = `${Math.min(place.bottom + 4, innerHeight - height - 8)}px`;
    /** @type {HTMLElement} */ (this.menu.firstElementChild).focus();
  }

  /** @param {HTMLElement} target in the menu */
  #choose(target) {
    const action = /** @type {HTMLElement|null} */ (target.closest("[data-do]"))?.dataset.do;
    const item = this.chosen;
    if (!action || !item) return;
    this.menu.hidePopover();
    if (action === "rename") this.#editName(item);
    else this.#delete(item);
  }

  /** @param {HTMLElement} item */
  #editName(item) {
    const link = this.#linkOf(item);
    const more = /** @type {HTMLElement} */ (item.querySelector(".more"));
    const input = el("input", { "aria-label": RENAME_LABEL, maxlength: 200, dir: "auto", value: link.textContent });
    let isOver = false; // what is removed with the focus in it tells of its leaving
    const end = (/** @type {boolean} */ byKey) => {
      if (isOver) return;
      isOver = true;
      form.remove();
      link.hidden = more.hidden = false;
      if (byKey) more.focus();
    };
    const form = el("form", { class: "rename", on: {
      submit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        const title = input.value.trim();
        if (!title) return;
        const fault = await this.#send(item, "rename", { title });
        if (fault) return this.#say(fault);
        this.rename(title, item.dataset.conversation);
        end(true);
      },
      keydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Escape") { event.stopPropagation(); end(true); } },
      focusout: (/** @type {FocusEvent} */ event) => { // another window may take the focus for a while
        if (document.hasFocus() && !form.contains(/** @type {Node|null} */ (event.relatedTarget))) end(false);
      },
    } }, input);
    link.hidden = more.hidden = true;
    item.append(form);
    input.focus();
    input.select();
  }

  /** @param {HTMLElement} item */
  async #delete(item) {
    const title = this.#linkOf(item).textContent ?? "";
    const fault = await this.#send(item, "delete");
    if (fault) return this.#say(fault);
    const wasOpen = item.dataset.conversation === this.current;
    this.items.find(({ dataset }) => dataset.conversation === item.dataset.conversation)?.remove(); // the list may be another by now
    if (this.asked !== this.shown) this.refresh(); // the list that is under way may still have it
    if (wasOpen) {
      this.current = null;
      history.replaceState(null, "", this.base.replace(/c\/$/u, ""));
      document.title = "Lectorium";
      byId("save-tools").hidden = true;
      this.dispatchEvent(new Event("closed"));
    }
    this.#draw();
    const button = el("button", { class: "button small", type: "button", text: UNDO, on: { click: () => this.#restore(item, wasOpen) } });
    this.#say(deleted(shortTitle(title, 40)), button);
    button.focus();
  }

  /** @param {HTMLElement} item @param {boolean} wasOpen */
  async #restore(item, wasOpen) {
    const fault = await this.#send(item, "restore");
    if (fault) return this.#say(fault);
    if (wasOpen) return location.assign(`${this.base}${item.dataset.conversation}/`);
    this.#say("");
    await this.refresh();
    this.items.find(({ dataset }) => dataset.conversation === item.dataset.conversation)?.querySelector("a")?.focus();
  }

  /** @param {string} words above the account; "" takes them away @param {HTMLElement} [button] */
  #say(words, button) {
    const close = el("button", { class: "icon-button", type: "button", "aria-label": CLOSE, on: { click: (/** @type {MouseEvent} */ { detail }) => {
      this.#say("");
      if (!detail) (this.list.querySelector("a") ?? byId("question")).focus(); // pressed by keyboard
    } } }, icon("close"));
    this.undo.replaceChildren(...(words ? [el("span", { text: words }), ...(button ? [button] : []), close] : []));
  }

  /** @param {HTMLElement} item @param {string} action @param {Record<string, string>} [values] @returns {Promise<string>} why it did not work; "" where it did */
  async #send(item, action, values = {}) {
    const body = new FormData(this.token);
    for (const [name, value] of Object.entries(values)) body.append(name, value);
    try {
      const answer = await fetch(`${this.base}${item.dataset.conversation}/${action}`, { method: "POST", body });
      if (answer.ok) return "";
      return answer.headers.get("Content-Type") === "application/json" ? (await answer.json()).message : NOT_CHANGED;
    } catch {
      return NOT_CHANGED;
    }
  }
}
